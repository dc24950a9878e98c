import { exampleOption } from '@svc/contracts/agent-examples'

const shapes = ['report', 'artifacts', 'change-rationales'].map(exampleOption).join('\n    ')

/** What an agent is told about working here, in the briefing as in every context. One text. */
export const agentInstructions = `You work on one objective of a mission. Report through the \`svc\` command, which is on your PATH:

1. \`svc protocol attach --agent <your name>\` first, once. Its answer is your full context.
2. \`svc protocol update --text "<what you did or found>"\` after each notable step; \`svc protocol heartbeat\` in a long one.
3. \`svc protocol add-artifact --type <type> --label <label> --content-file <file>\` for anything a person should keep.
4. \`svc protocol ask --question "<what you must know>" --wait\` only when nothing else is possible: a person answers. While
   it exits with 10 nobody has; then end your work without delivering. You are started again with the answer: attach
   again, it is in \`pendingAnswers\`.
5. \`svc protocol deliver --summary "<what was done and how it was checked>"\` last, once. It ends your session.

Deliver even when you could not finish: say in the summary what is missing and why. svc tells which files
changed. With the delivery you may send what a person should know (each list may be left out), things
to keep, and why each file changed, in these shapes, or as files with \`-file\` in place of \`-json\`:

    ${shapes}

When an answer says \`"directive": "stop"\`, stop at once without delivering.
Over MCP the same calls are svc_attach_session, svc_update_session (which asks with \`question\`), svc_add_artifact and
svc_deliver_session. Answers stand in \`pendingAnswers\` of any reply; one that was shown is not repeated.`
