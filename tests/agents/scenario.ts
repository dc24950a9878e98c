import { join } from 'node:path'
import type { Step } from './model/steps.ts'

export const instructions = ['Build a bridge, and paint it.']

/** What a person is asked, and what they answer. */
export const question = 'Which colour should the bridge have?'
export const answer = 'Red, as the old one was.'
export const summary = 'Built a red bridge.'
/** What the project's check prints where it fails, which the model gets to read. */
export const notRed = 'the bridge is not red yet'

/** What a model does that reads its briefing, up to the question; `folder` is the working tree. */
export function firstProcess(key: string, folder: string): Step[] {
  return [
    { run: `svc protocol attach --agent ${key}` },
    { run: "svc protocol update --text 'Looked around; the bridge comes next.'" },
    { write: join(folder, 'bridge.md'), content: 'A bridge of two pillars.\n' },
    { run: 'git add bridge.md' },
    { run: "git commit -m 'Build the bridge'" },
    { run: `svc protocol ask --question '${question}'` },
    { say: 'Nobody has answered yet, so I end here.' },
  ]
}

/** From there on, in the process that the answer started. Its first delivery fails the check of the project. */
export function secondProcess(key: string, folder: string): Step[] {
  return [
    { run: `svc protocol attach --agent ${key} --model after-the-answer` },
    { run: "svc protocol deliver --summary 'Built a bridge.'" },
    { write: join(folder, 'colour.md'), content: 'The bridge is red.\n' },
    { run: 'git add colour.md' },
    { run: "git commit -m 'Paint the bridge'" },
    { run: `svc protocol deliver --summary '${summary}'` },
    { say: 'The bridge is delivered.' },
  ]
}

/** What stands before its delivery. */
export const checks = {
  colour: { command: `grep -q red colour.md || { echo '${notRed}'; exit 1; }` },
}
