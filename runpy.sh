export PYTHONPATH=/tmp/w/wt-stages/src WIKIBIAS_SHARED=/work/shared/data
exec "$@"
