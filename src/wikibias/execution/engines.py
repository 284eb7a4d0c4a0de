"""Engines by name: where the parts are worked on.

`local` is this machine: `processes`. Every other engine is a function (workers, folder, scheduler)
that returns a context manager of a `concurrent.futures.Executor`:

- workers: how many parts to work on at a time;
- folder: the result folder, on a file system that all workers share; logs may go below it;
- scheduler: the address given by `--scheduler`, or None.

What is submitted and returned is pickled by the engine. When the block is left, by an error or an
interrupt too, the engine ends what still runs. A package adds an engine by an entry point:

    [project.entry-points."wikibias.engines"]
    mine = "my_package:my_engine"
"""

from __future__ import annotations

import logging
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wikibias.errors import DiskError, UsageError, WikibiasError
from wikibias.execution import processes
from wikibias.kits.folders import refuse_links
from wikibias.kits.plugins import Registry, how_to_install

if TYPE_CHECKING:
    from concurrent.futures import Executor

    Engine = Callable[[int, Path, str | None], AbstractContextManager[Executor]]


LOCAL = "local"
# Far more than any machine has cores.
MOST_WORKERS = 10_000
_CONNECT = "20s"


@contextmanager
def dask(workers: int, folder: Path, scheduler: str | None) -> Iterator[Executor]:
    """Give an executor on a Dask scheduler, or on `workers` local processes when none is named.

    Raises:
        UsageError: Dask is not installed, or nobody answers at the address.
    """
    try:
        import distributed  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise UsageError(f"--engine dask needs Dask; run: {how_to_install('dask')}") from error
    start: Any = distributed.LocalCluster
    cluster: Any = scheduler or start(
        n_workers=workers,
        threads_per_worker=1,
        host="127.0.0.1",
        # No dashboard; what else Dask serves over HTTP takes any port that is free.
        dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
        silence_logs=logging.CRITICAL,
    )
    with nullcontext() if scheduler else cluster, connected(cluster) as executor:
        yield executor


def _forward_logs(client: Any) -> None:
    """Let what workers log reach this process; those that come later too."""
    from distributed import WorkerPlugin  # noqa: PLC0415 (an extra)

    least = processes.level()

    class Level(WorkerPlugin):
        name = "wikibias-log-level"

        def setup(self, worker: object) -> None:
            logging.getLogger(processes.ROOT).setLevel(least)

    client.register_plugin(Level())
    client.forward_logging(processes.ROOT)


@contextmanager
def connected(cluster: Any) -> Iterator[Executor]:
    """Give an executor on one of Dask's clusters, or on the scheduler at an address.

    Raises:
        UsageError: nobody answers at the address.
    """
    import distributed  # noqa: PLC0415 (an extra)

    connect: Any = distributed.Client
    try:
        client = connect(cluster, timeout=_CONNECT)
    except (OSError, RuntimeError, TypeError, ValueError) as error:  # without keys: TypeError
        raise UsageError(f"no Dask scheduler answers at {cluster} ({error})") from error
    try:
        _forward_logs(client)
        # Not pure: a part is asked for again where the files that it writes are missing.
        yield client.get_executor(pure=False)
    finally:
        client.close()


# What a job asks for; the site's SBATCH_* variables overrule it.
_TIME, _MEMORY = "24:00:00", "4GB"
# Seconds between two looks at the queue until the first job has started.
_PAUSE = 2.0


@contextmanager
def slurm(workers: int, folder: Path, scheduler: str | None) -> Iterator[Executor]:
    """Give an executor on `workers` SLURM jobs; each works on one part after the other.

    When a job ends early, another does its part, and a new job is submitted in its place.

    Raises:
        UsageError: dask-jobqueue is not installed, or this machine cannot submit jobs.
        WikibiasError: SLURM refuses the jobs, or all end before they have reached this process.
    """
    if not shutil.which("sbatch"):
        raise UsageError("--engine slurm needs `sbatch`; run it on a login node of the cluster")
    logs = _private(folder.resolve() / "slurm")
    cluster = _library().SLURMCluster(
        cores=1,
        processes=1,
        memory=_MEMORY,
        walltime=_TIME,
        job_name="wikibias",
        log_directory=str(logs),
        nanny=False,
        worker_extra_args=["--no-dashboard"],
        scheduler_options={"dashboard": False, "dashboard_address": ":0"},
        silence_logs=logging.CRITICAL,
    )
    with cluster, connected(cluster) as executor:
        _check(cluster.job_script())
        cluster.adapt(minimum_jobs=workers, maximum_jobs=workers)
        _wait_for_a_worker(cluster, logs)
        yield executor


def _private(logs: Path) -> Path:
    """Make a folder that only its owner can read and write: what is in it tells how to connect.

    Raises:
        DiskError: it cannot be made.
        UsageError: it is a link, which may lead elsewhere.
    """
    refuse_links(logs.parent, [logs.name])
    try:
        logs.mkdir(parents=True, exist_ok=True)
        logs.chmod(0o700)
    except OSError as error:
        raise DiskError(f"cannot make {logs}: {error.strerror}; choose another --out") from error
    return logs


def _library() -> Any:
    # Its module `runner` makes Ctrl-C end any program that imports it, with exit code 0.
    before = signal.getsignal(signal.SIGINT)
    try:
        import dask_jobqueue  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise UsageError(
            f"--engine slurm needs dask-jobqueue; run: {how_to_install('slurm')}"
        ) from error
    finally:
        signal.signal(signal.SIGINT, before)
    return dask_jobqueue


def _check(script: str) -> None:
    """Let SLURM check the script of a job: dask-jobqueue only logs why it was refused."""
    command = ("sbatch", "--test-only")
    checked = subprocess.run(command, input=script, capture_output=True, text=True, check=False)  # noqa: S603 (no word of the user's)
    if checked.returncode:
        reason = (checked.stderr.strip().splitlines() or ["it does not say why"])[-1]
        raise WikibiasError(
            f"SLURM refuses the jobs ({reason}); set what it asks for by SBATCH_* variables: "
            "wikibias docs cluster"
        )


def _wait_for_a_worker(cluster: Any, logs: Path) -> None:
    """Wait until a job has started and its worker has connected, however long the queue is."""
    while not cluster.scheduler_info["workers"]:
        time.sleep(_PAUSE)
        jobs = {job.job_id for job in cluster.workers.values()}
        if jobs and _all_ended(jobs) and not cluster.scheduler_info["workers"]:
            raise WikibiasError(
                f"all SLURM jobs ended before they reached this machine; {logs} says why; of jobs "
                "that cannot connect tells: wikibias docs cluster"
            )


def _all_ended(jobs: set[str]) -> bool:
    """Return whether SLURM's queue holds none of the jobs; not where it does not answer."""
    command = ("squeue", "--me", "--noheader", "--format=%i")
    told = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 (no word of the user's)
    return not told.returncode and jobs.isdisjoint(told.stdout.split())


ELSEWHERE: Registry[Engine] = Registry(
    "engine", "wikibias.engines", {"dask": dask, "slurm": slurm}, taken={LOCAL}
)


def names() -> tuple[str, ...]:
    """Return the names of all engines, those that other packages add last."""
    return (LOCAL, *ELSEWHERE.names())


def check(name: str, scheduler: str | None) -> None:
    """Check that a scheduler is named only for an engine that uses one.

    Raises:
        UsageError: the engine does not.
    """
    if scheduler is not None and name in (LOCAL, "slurm"):
        raise UsageError("--scheduler is for --engine dask; add that, or leave it out")
