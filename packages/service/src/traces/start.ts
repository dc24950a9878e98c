import { hearCommits } from '@svc/domain/commit/steps'
import { keepHandled } from '@svc/http/handling'
import type { Log } from '@svc/process/log'
import { attemptEnded, requestAnswered } from '@svc/process/measured'
import { traceAttempt } from './attempts.ts'
import { createCalls } from './calls.ts'
import { createSink } from './sink.ts'
import { traceCommit } from './stories.ts'

interface TracingOptions {
  url: string
  app: string
  log: Log
}

/** Follows this process until disposed, which sends what it has. */
export function startTracing({ url, app, log }: TracingOptions): AsyncDisposable {
  const stack = new AsyncDisposableStack()
  const sink = stack.use(createSink({ url, app, log }))
  const calls = createCalls(sink.tracer)
  const guarded = guard(log)
  stack.use(keepHandled(calls.current, guarded(calls.begin)))
  stack.use(requestAnswered.hear(guarded(calls.end)))
  stack.use(hearCommits(guarded((commit) => traceCommit(sink, calls.current.getStore(), commit))))
  stack.use(attemptEnded.hear(guarded((attempt) => traceAttempt(sink, attempt))))
  return stack
}

/** What listens must not throw: that would end the process. */
function guard(log: Log) {
  return <T, R>(listen: (value: T) => R) =>
    (value: T): R | undefined => {
      try {
        return listen(value)
      } catch (error) {
        log.error({ err: error }, 'something could not be traced')
        return undefined
      }
    }
}
