/** How this agent misbehaves, for tests: words such as `crash-after-attach` or `slow=2`. */
export interface Switches {
  crashBeforeAttach: boolean
  crashAfterAttach: boolean
  hangBeforeAttach: boolean
  hangAfterAttach: boolean
  ignoreSignals: boolean
  forkOutOfGroup: boolean
  /** Seconds before it attaches. */
  talkLate: number
  /** Seconds between its steps. */
  slow: number
  exitAfterDeliver: number
  /** Asks one question before it works: waits for the answer, or ends and goes on in the run that brings it. */
  ask: 'wait' | 'exit' | undefined
}

/** From `SVC_SCRIPTED` (words with commas) and lines `scripted: …` of the objective in the briefing. */
export function readSwitches(variable: string, briefing: string): Switches {
  const words = [variable, ...scriptedLines(objectiveOf(briefing))]
    .flatMap((text) => text.split(/[\s,]+/))
    .filter((word) => word !== '')
  const valueOf = (name: string, otherwise: number) => {
    const word = words.findLast((one) => one === name || one.startsWith(`${name}=`))
    const value = Number(word?.slice(name.length + 1) || otherwise)
    return Number.isFinite(value) && value >= 0 ? value : otherwise
  }
  return {
    crashBeforeAttach: words.includes('crash-before-attach'),
    crashAfterAttach: words.includes('crash-after-attach'),
    hangBeforeAttach: words.includes('hang-before-attach'),
    hangAfterAttach: words.includes('hang-after-attach'),
    ignoreSignals: words.includes('ignore-signals'),
    forkOutOfGroup: words.includes('fork-out-of-group'),
    talkLate: valueOf('talk-late', 0),
    slow: valueOf('slow', 0.2),
    exitAfterDeliver: valueOf('exit-after-deliver', 0),
    ask: words.includes('ask-and-exit') ? 'exit' : words.includes('ask') ? 'wait' : undefined,
  }
}

/** The instruction of this run only: what other objectives or the history say is not meant for it. */
function objectiveOf(briefing: string): string {
  return briefing.split(/^## Your objective$/m)[1]?.split(/^(?:## |<<< )/m)[0] ?? ''
}

function scriptedLines(text: string): string[] {
  return [...text.matchAll(/^[ \t]*scripted:[ \t]*(.*)$/gim)].map(([, words]) => words ?? '')
}
