import type { Usage } from '@svc/contracts/usage'
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
      'checked',
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
      'yes',
      costOf(recording),
      recording.quotaWall?.became ?? 'not told',
      recording.signedOut.became,
      recording.unknownOptions.join(', ') || 'none',
      String(recording.figures.agentMegabytes),
      String(recording.figures.startSeconds),
      String(recording.figures.resumedSeconds),
    ]),
  ]
}

/** What both of its runs tell. */
function costOf({ usage: { first, resumed } }: Recording): string {
  const tells = (what: keyof Usage) => first?.[what] !== undefined && resumed?.[what] !== undefined
  const told = [tells('inputTokens') && 'tokens', tells('usd') && 'dollars'].filter(Boolean)
  return told.join(' and ') || 'unknown'
}
