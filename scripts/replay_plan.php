<?php
/**
 * Replays a plan of edits in a local MediaWiki, each at the time given in the plan.
 *
 *   php replay_plan.php --conf LocalSettings.php --gold events.jsonl plan.jsonl
 *
 * A plan has one JSON object per line, ordered by time. Its keys:
 *   op       edit, move or revdel
 *   ts       when, as yyyymmddhhmmss, UTC
 *   title    the page; user: a name (the account is created if needed) or an IP address; summary
 * edit only:
 *   ref      a name for the revision, unique in the plan; minor: true or false
 *   text     the whole wikitext, or
 *   restore  the ref of an earlier revision whose text is restored, or
 *   replace  [[old, new], ...]: changes to the page's latest text, which contains each old text once
 *   gold     the events of the edit, see samples/README.md
 * move only:   to, the new title
 * revdel only: refs, the revisions, and hide, what to hide of them: text, user, comment
 *
 * --gold writes the events of all edits with the ids of their revisions.
 * MediaWiki is expected in MW_INSTALL_PATH, by default /usr/share/mediawiki.
 */

use MediaWiki\MediaWikiServices;
use MediaWiki\Revision\RevisionRecord;
use MediaWiki\Revision\SlotRecord;
use Wikimedia\IPUtils;
use Wikimedia\Timestamp\ConvertibleTimestamp;

require_once ( getenv( 'MW_INSTALL_PATH' ) ?: '/usr/share/mediawiki' ) . '/maintenance/Maintenance.php';

class ReplayPlan extends Maintenance {
	/** @var int[] ref => revision id */
	private $revisions = [];

	/** @var string[] ref => wikitext */
	private $texts = [];

	/** @var MediaWikiServices */
	private $wiki;

	public function __construct() {
		parent::__construct();
		$this->addDescription( 'Replay a plan of edits, each at its own time' );
		$this->addArg( 'plan', 'the plan, JSON lines' );
		$this->addOption( 'gold', 'write the events to this file', false, true );
	}

	public function execute() {
		$this->wiki = MediaWikiServices::getInstance();
		$steps = $this->readPlan( $this->getArg( 0 ) );
		foreach ( $steps as $number => $step ) {
			ConvertibleTimestamp::setFakeTime( $step['ts'] );
			$problem = $this->play( $step );
			if ( $problem !== null ) {
				$this->fatalError( "line $number ({$step['op']}, {$step['title']}): $problem" );
			}
			DeferredUpdates::doUpdates();
		}
		ConvertibleTimestamp::setFakeTime( false );
		if ( $this->hasOption( 'gold' ) ) {
			$this->writeGold( $steps, $this->getOption( 'gold' ) );
		}
		$this->output( count( $steps ) . ' steps, ' . count( $this->revisions ) . " edits\n" );
	}

	private function readPlan( string $path ): array {
		$steps = [];
		foreach ( file( $path, FILE_IGNORE_NEW_LINES ) as $index => $line ) {
			if ( trim( $line ) !== '' ) {
				$steps[$index + 1] = json_decode( $line, true, 64, JSON_THROW_ON_ERROR );
			}
		}
		return $steps;
	}

	/** @return string|null what went wrong */
	private function play( array $step ): ?string {
		$title = Title::newFromText( $step['title'] );
		switch ( $step['op'] ) {
			case 'edit':
				return $this->edit( $step, $title );
			case 'move':
				return $this->move( $step, $title );
			case 'revdel':
				return $this->hide( $step, $title );
		}
		return 'unknown operation';
	}

	private function edit( array $step, Title $title ): ?string {
		$page = $this->wiki->getWikiPageFactory()->newFromTitle( $title );
		try {
			$text = $this->newText( $step, $page );
		} catch ( UnexpectedValueException $e ) {
			return $e->getMessage();
		}
		$updater = $page->newPageUpdater( $this->account( $step['user'] ) );
		$updater->setContent( SlotRecord::MAIN, ContentHandler::makeContent( $text, $title ) );
		$revision = $updater->saveRevision(
			CommentStoreComment::newUnsavedComment( $step['summary'] ),
			EDIT_INTERNAL | ( $step['minor'] ? EDIT_MINOR : 0 )
		);
		if ( !$revision ) {
			return 'nothing was saved: ' . $updater->getStatus()->getWikiText( false, false, 'en' );
		}
		$this->revisions[$step['ref']] = $revision->getId();
		$this->texts[$step['ref']] = $text;
		return null;
	}

	private function newText( array $step, WikiPage $page ): string {
		if ( isset( $step['text'] ) ) {
			return $step['text'];
		}
		if ( isset( $step['restore'] ) ) {
			return $this->texts[$step['restore']];
		}
		$text = $page->getContent()->getText();
		foreach ( $step['replace'] as [ $old, $new ] ) {
			$times = substr_count( $text, $old );
			if ( $times !== 1 ) {
				throw new UnexpectedValueException( "found $times times, not once: $old" );
			}
			$text = str_replace( $old, $new, $text );
		}
		return $text;
	}

	private function move( array $step, Title $title ): ?string {
		$status = $this->wiki->getMovePageFactory()
			->newMovePage( $title, Title::newFromText( $step['to'] ) )
			->move( $this->account( $step['user'] ), $step['summary'], true );
		return $status->isOK() ? null : $status->getWikiText( false, false, 'en' );
	}

	private function hide( array $step, Title $title ): ?string {
		$context = RequestContext::getMain();
		$context->setUser( $this->account( 'Admin' ) );
		$ids = [];
		foreach ( $step['refs'] as $ref ) {
			$ids[] = $this->revisions[$ref];
		}
		$bits = [
			'text' => RevisionRecord::DELETED_TEXT,
			'comment' => RevisionRecord::DELETED_COMMENT,
			'user' => RevisionRecord::DELETED_USER,
		];
		$value = [];
		foreach ( $step['hide'] as $part ) {
			$value[$bits[$part]] = 1;
		}
		$status = RevisionDeleter::createList( 'revision', $context, $title, $ids )
			->setVisibility( [ 'value' => $value, 'comment' => $step['summary'] ] );
		return $status->isOK() ? null : $status->getWikiText( false, false, 'en' );
	}

	private function account( string $name ): User {
		$factory = $this->wiki->getUserFactory();
		if ( IPUtils::isIPAddress( $name ) ) {
			return $factory->newAnonymous( IPUtils::sanitizeIP( $name ) );
		}
		$user = $factory->newFromName( $name );
		if ( !$user->isRegistered() ) {
			$user->addToDatabase();
		}
		return $user;
	}

	private function writeGold( array $steps, string $path ): void {
		$lookup = $this->wiki->getRevisionLookup();
		$lines = '';
		foreach ( $steps as $step ) {
			foreach ( $step['gold'] ?? [] as $event ) {
				$revision = $lookup->getRevisionById( $this->revisions[$step['ref']] );
				$page = Title::newFromID( $revision->getPageId(), Title::READ_LATEST );
				$lines .= json_encode(
					[ 'ref' => $step['ref'], 'title' => $step['title'] ] + $event + [
						'rev_id' => $revision->getId(),
						'parent_id' => $revision->getParentId() ?: null,
						'dump_title' => $page->getPrefixedText(),
						'text_suppressed' => $revision->isDeleted( RevisionRecord::DELETED_TEXT ),
					],
					JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES
				) . "\n";
			}
		}
		file_put_contents( $path, $lines );
	}
}

$maintClass = ReplayPlan::class;
require_once RUN_MAINTENANCE_IF_MAIN;
