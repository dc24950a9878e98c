import { mcpWarning } from '@svc/mcp-gateway/env'
import { readEnvironment, unknownVariableWarnings } from '@svc/process/env'
import { run } from '@svc/process/run'
import { readArguments, usage } from './arguments.ts'
import { compose } from './compose.ts'
import { requireGit } from './demo-repository.ts'
import { demonstrate, sayStart } from './demonstration.ts'
import { StandaloneEnvironment } from './env.ts'
import { sentenceOf } from './fault.ts'
import { say, sayError } from './speech.ts'
import { transfer } from './transfer.ts'

/** Names that nobody knows, and an almost-on that is off. */
function warningsOf(env: NodeJS.ProcessEnv): string[] {
  return [...unknownVariableWarnings(env), mcpWarning(env)].filter((one) => one !== undefined)
}

run('svc', async (running) => {
  const ended = Promise.withResolvers<number>()
  const sayStopping = () =>
    say(
      'Stopping everything, and with it the runs of this machine: svc resume goes on with one. Ctrl-C once more ends it at once.',
      'dim',
    )
  const fail = (error: unknown) => {
    if (running.signal.aborted) return
    running.signal.removeEventListener('abort', sayStopping)
    const sentence = sentenceOf(error)
    if (sentence === undefined) running.log.fatal({ err: error }, 'svc failed')
    else sayError(sentence)
    ended.resolve(1)
  }
  try {
    const choices = readArguments(process.argv.slice(2))
    if (choices.help) {
      say(usage)
      return 0
    }
    const environment = readEnvironment(StandaloneEnvironment, process.env)
    for (const warning of warningsOf(process.env)) sayError(warning)
    const reporter = { detail: (text: string) => say(text, 'dim'), notice: sayError, fatal: fail }
    running.signal.addEventListener('abort', sayStopping)
    if (choices.export !== undefined || choices.import !== undefined) {
      await transfer(choices, environment, { running, reporter })
      return 0
    }
    await requireGit()
    const composed = await compose(environment, running, reporter)
    if (choices.once) return await demonstrate(composed, { once: true, signal: running.signal })
    say(`svc runs on ${composed.baseUrl}; everything lies in ${composed.data.path}`)
    const { signal } = running
    const shown = choices.demo
      ? demonstrate(composed, { once: false, signal })
      : sayStart(composed, signal)
    void shown.catch(fail)
    // up until a signal, or until a part of it cannot be kept alive
    void ended.promise.then(running.stop)
    return undefined
  } catch (error) {
    if (running.signal.aborted) throw error
    fail(error)
    return 1
  }
})
