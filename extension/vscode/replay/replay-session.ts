// Plays a recorded session in the panel, with the same loop that runs sessions.

import { basename } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { SessionFeed } from '../../app/feed/session-feed.ts';
import { FollowedSession } from '../../app/sessions/followed-session.ts';
import type { LogFollower, SessionStore } from '../../core/ports/session-store.ts';
import { describeEntry } from '../../core/recording/divergence.ts';
import type { RecordedSession } from '../../core/recording/recorded-session.ts';
import type { ReplayResult } from '../../core/recording/replay/replay-session.ts';
import { type PlaybackStart, PlaybackStopped } from '../../core/recording/replay/steered-pace.ts';
import { thisProduct } from '../../core/recording/replay/this-product.ts';
import {
  type ReadRecording,
  readRecordingFile,
  readSessionRecording,
} from '../../node/recording/read-recording.ts';
import { systemClock } from '../../node/system-clock.ts';
import { argumentOf } from '../base/command-argument.ts';
import { errorMessage, localize } from '../base/localize.ts';
import type { PanelView } from '../panel/panel.ts';
import type { WindowParts } from '../panel/panel-parts.ts';
import { shownTitle } from '../sessions/localization.ts';
import { chooseStart, ReplayControls } from './replay-controls.ts';

/** The argument of the command, for scripts. `speed` is a factor; 0 means as fast as possible. */
const asked = z.object({
  session: z.optional(z.string()),
  file: z.optional(z.string()),
  speed: z.optional(z.number()),
});

/** What `executeCommand` resolves with. Undefined if nothing was played, or not to the end. */
interface Replayed {
  readonly equal: boolean;
  readonly events: number;
}

export async function replaySessionCommand(
  parts: WindowParts,
  panel: PanelView,
  argument: unknown,
): Promise<Replayed | undefined> {
  const { session, file, speed = 1 } = argumentOf(asked, argument);
  const isChosen = session === undefined && file === undefined;
  const place = isChosen ? await choose(parts) : { session, file };
  const start =
    place && isChosen ? await chooseStart() : { speed: speed === 0 ? Number.POSITIVE_INFINITY : speed };
  if (!place || !start) return undefined;
  const recording = await read(parts, place).catch((error: unknown) => {
    void vscode.window.showErrorMessage(
      vscode.l10n.t('Could not start the replay: {0}', errorMessage(error)),
    );
    return undefined;
  });
  return recording && play(panel, parts.open.feed, recording, start);
}

/** A session or a file. */
interface Place {
  readonly session?: string | undefined;
  readonly file?: string | undefined;
}

async function read({ places }: WindowParts, { session, file }: Place): Promise<ReadRecording> {
  if (file !== undefined) return readRecordingFile(file);
  return readSessionRecording(places.sessions, session ?? '');
}

async function choose({ store }: WindowParts): Promise<Place | undefined> {
  const sessions = (await store.list()).map(({ id, title, updated }) => ({
    label: shownTitle(title),
    description: new Date(updated).toLocaleString(),
    session: id,
  }));
  const other = { label: vscode.l10n.t('$(folder-opened) Select File…'), session: undefined };
  const picked = await vscode.window.showQuickPick([other, ...sessions], {
    title: vscode.l10n.t('Replay Session'),
    placeHolder: vscode.l10n.t('Select a session to replay'),
  });
  if (!picked || picked.session !== undefined) return picked;
  const [uri] = (await vscode.window.showOpenDialog({ title: vscode.l10n.t('Replay Session') })) ?? [];
  return uri && { file: uri.fsPath };
}

async function play(
  panel: PanelView,
  feed: SessionFeed,
  { session, damagedAt, close }: ReadRecording,
  start: PlaybackStart,
): Promise<Replayed | undefined> {
  if (damagedAt !== undefined)
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        'Line {0} of the recording is damaged. Harness replays only the part before it.',
        damagedAt,
      ),
    );
  const controls = new ReplayControls(start);
  try {
    const result = await perform(panel, feed, session, controls);
    await reportResult(result, session);
    return { equal: result.equal, events: result.events };
  } catch (error) {
    if (!(error instanceof PlaybackStopped)) throw error;
    return undefined;
  } finally {
    controls.dispose();
    await close();
  }
}

async function perform(
  panel: PanelView,
  feed: SessionFeed,
  session: RecordedSession,
  controls: ReplayControls,
): Promise<ReplayResult> {
  const { replaySession: replay } = await import('../../core/recording/replay/replay-session.ts');
  const followers: LogFollower[] = [];
  const follow: SessionStore['follow'] = async (_id, follower) => {
    followers.push(follower);
    follower.onHeld(true);
    return { past: [], load: async () => [], close: () => controls.pace.stop() };
  };
  const shown = await FollowedSession.follow(session.id, { follow }, feed);
  await panel.sessions.showReplay(shown);
  await panel.bringToFront();
  // After the panel, because the panel takes the focus that the list needs.
  if (controls.pace.isPaused) void controls.choose();
  return replay(session, {
    product: thisProduct,
    turn: () => systemClock.yield(),
    pace: controls.pace.before,
    listener: {
      onEvents: (events) => followers[0]?.onEvents(events),
      onDelta: (delta) => shown.emitDelta(delta),
    },
  });
}

async function reportResult(result: ReplayResult, { id }: RecordedSession): Promise<void> {
  if (!result.equal) return showDivergence(result.divergence, id, result.events);
  const { events, otherHashes, unwritten, missing, isCut } = result;
  if (events === unwritten) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('Could not verify the replay: the log contains none of the recorded events.'),
    );
    return;
  }
  const sentences = [
    otherHashes === 0
      ? vscode.l10n.t('Replayed {0} events. All hashes match.', events)
      : vscode.l10n.t(
          'Replayed {0} events. Everything matches except the hashes of content with hidden secrets (events affected: {1}).',
          events,
          otherHashes,
        ),
    unwritten > 0 &&
      vscode.l10n.t('{0} of the events were never written to the log and could not be verified.', unwritten),
    missing > 0 && vscode.l10n.t('The log has {0} more events that were not recorded.', missing),
    isCut && vscode.l10n.t('The recording ends before the session was closed.'),
  ];
  void vscode.window.showInformationMessage(sentences.filter(Boolean).join(' '));
}

async function showDivergence(
  { message, diff, entry }: Extract<ReplayResult, { equal: false }>['divergence'],
  id: string,
  events: number,
): Promise<void> {
  const warning = vscode.l10n.t('The replay differs after {0} events: {1}', events, localize(message));
  const content = `${warning}\n\n${diff}\n\n${vscode.l10n.t('Recorded next: {0}', localize(describeEntry(entry)))}\n`;
  const document = await vscode.workspace.openTextDocument({ language: 'diff', content });
  await vscode.window.showTextDocument(document, { preview: true });
  void vscode.window.showWarningMessage(`${basename(id)}: ${warning}`);
}
