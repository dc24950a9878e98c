import { agentExamples, exampleOption } from './agent-examples.ts'

/** How an agent makes the calls that its instructions name. */
interface Way {
  report: string
  attach: string
  update: string
  keep: string
  ask: string
  deliver: string
  changes: string
  /** Where the shapes below belong. */
  given: string
  shapes: readonly (string | undefined)[]
}

/** One text for everybody; only how a call is made differs. */
function instructionsFor(way: Way): string {
  return `You work on one objective of a mission. Report through ${way.report}:

1. ${way.attach} first, once. Its answer is your full context.
2. ${way.update}
3. ${way.keep} for anything a person should keep.
4. ${way.ask}
5. ${way.deliver} last, once. It ends your session.

Deliver even when you could not finish: say in the summary what is missing and why.${way.changes}
With the delivery you may send what a person should know (each list may be left out), things to keep, and why each file
changed, ${way.given}:

    ${way.shapes.join('\n    ')}

When an answer says \`"directive": "stop"\`, stop at once without delivering. Answers stand in \`pendingAnswers\` of any
reply; one that was shown is not repeated.`
}

const { report, artifacts, changeRationales } = agentExamples

/** What an agent needs to begin and to end; the answer to its attach has the rest. */
export const instructionsForBriefing = `Report through the \`svc\` command, which is on your PATH:

1. \`svc protocol attach --agent <your name>\` first, once. Its answer is your full context: history and artifacts whole,
   and what does not stand here, such as deliveries, questions with their answers, shared state and the other objectives.
   \`agentInstructions\` in it say how to report, to ask and to deliver; \`svc protocol load-context\` returns them again.
2. \`svc protocol deliver\` last, once, also when you could not finish.`

/** For who attaches with a command. */
export const instructionsForCommands = instructionsFor({
  report: 'the `svc` command, which is on your PATH',
  attach: '`svc protocol attach --agent <your name>`',
  update:
    '`svc protocol update --text "<what you did or found>"` after each notable step; `svc protocol heartbeat` in a long one.',
  keep: '`svc protocol add-artifact --type <type> --label <label> --content-file <file>`',
  ask: `\`svc protocol ask --question "<what you must know>" --wait\` only when nothing else is possible: a person answers. While
   it exits with 10 nobody has; then end your work without delivering. You are started again with the answer: attach
   again, it is in \`pendingAnswers\`.`,
  deliver: '`svc protocol deliver --summary "<what was done and how it was checked>"`',
  changes: ' svc tells which files changed.',
  given: 'in these shapes, or as files with `-file` in place of `-json`',
  shapes: ['report', 'artifacts', 'change-rationales'].map(exampleOption),
})

/** For who attaches with a tool: nothing here takes a shell. */
export const instructionsForTools = instructionsFor({
  report: 'the svc tools',
  attach: '`svc_attach_session`',
  update:
    '`svc_update_session` with `sessionKey` and `text` (what you did or found) after each notable step.',
  keep: '`svc_add_artifact` with `sessionKey`, `type`, `label` and `contentText` or `externalUrl`',
  ask: `\`svc_update_session\` with \`sessionKey\` and \`question\` (what you must know) only when nothing else is possible: a
   person answers. While nobody has, do what does not need it, then end without delivering. Once it is answered, go on
   with the same \`sessionKey\`: the answer is in \`pendingAnswers\` of the next reply.`,
  deliver:
    '`svc_deliver_session` with `sessionKey` and `summary` (what was done and how it was checked)',
  changes: '',
  given: 'as these arguments',
  shapes: Object.entries({ report, artifacts, changeRationales }).map(
    ([name, example]) => `"${name}": ${JSON.stringify(example)}`,
  ),
})
