import type { Recording } from './recording.ts'

/** The table of what was tried, its head first. */
export function triedRows(recordings: readonly Recording[]): string[][] {
  return [
    [
      'tool',
      'version',
      'tried on',
      'delivered',
      'resumed',
      'cost',
      'quota wall',
      'signed out',
      'options unknown',
      'memory, MB',
      'start, s',
      'answer to running, s',
    ],
    ...recordings.map((recording) => [
      recording.title,
      recording.version,
      recording.on,
      // what does not come through is not recorded
      'yes',
      'yes',
      costOf(recording),
      recording.quotaWall.became,
      recording.signedOut.became,
      recording.unknownOptions.join(', ') || 'none',
      String(recording.figures.agentMegabytes),
      String(recording.figures.startSeconds),
      String(recording.figures.resumedSeconds),
    ]),
  ]
}

function costOf({ usage }: Recording): string {
  if (usage === null) return 'unknown'
  return 'usd' in usage ? 'tokens and dollars' : 'tokens'
}
