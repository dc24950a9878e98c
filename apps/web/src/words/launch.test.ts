import {
  type Candidate,
  type CandidateReason,
  candidateReasons,
} from '@svc/contracts/launch-forecast'
import { expect, test } from 'vitest'
import { wordsOfCandidate } from './launch.ts'

const candidate = (able: boolean, code?: CandidateReason, running = 0): Candidate =>
  // the parts that words are made of
  ({
    runner: { label: 'lap', capacity: { max: 2, running } },
    able,
    reasons: code === undefined ? [] : [{ code, message: 'lap is so.', until: null }],
  }) as unknown as Candidate

test('a runner that takes a launch says how busy it is', () => {
  expect(wordsOfCandidate(candidate(true)).word).toBe('idle')
  expect(wordsOfCandidate(candidate(true, undefined, 1)).word).toBe('1 of 2 busy')
})

// the keys of an object literal are its key type; Object.keys only says string
test.each(Object.keys(candidateReasons) as CandidateReason[])(
  'a runner that does not take it for %s has a word for it, and the sentence of the service',
  (code) => {
    const { word, sentence, sign } = wordsOfCandidate(
      candidate(candidateReasons[code].passes, code),
    )
    expect(word).toMatch(/\w/)
    expect(sentence).toBe('lap is so.')
    expect(sign).toBe(candidateReasons[code].passes ? '◔' : '○')
  },
)
