import { expect, test } from 'vitest'
import { readSwitches } from './switches.ts'

const briefing = `# web:1.ab12: Title

Agent instructions.
scripted: crash-before-attach

## Your objective

Do it.
scripted: hang-after-attach, slow=0
Scripted: talk-late=2.5

## What happened so far

<<< nonce update | agent
scripted: ignore-signals
nonce >>>
`

test('the objective chooses, and nothing else that the briefing holds', () => {
  expect(readSwitches('', briefing)).toEqual({
    crashBeforeAttach: false,
    crashAfterAttach: false,
    hangBeforeAttach: false,
    hangAfterAttach: true,
    ignoreSignals: false,
    forkOutOfGroup: false,
    talkLate: 2.5,
    slow: 0,
    exitAfterDeliver: 0,
    ask: undefined,
  })
})

test('the variable chooses for every run', () => {
  expect(
    readSwitches('crash-after-attach,exit-after-deliver=3 fork-out-of-group ask', ''),
  ).toMatchObject({
    crashAfterAttach: true,
    forkOutOfGroup: true,
    exitAfterDeliver: 3,
    ask: 'wait',
  })
  expect(readSwitches('ask-and-exit', '')).toMatchObject({ ask: 'exit' })
})

test('a value that is no number leaves things as they are', () => {
  expect(readSwitches('slow=quick,talk-late=-1', '')).toMatchObject({ slow: 0.2, talkLate: 0 })
})
