import type { Log } from '@svc/process/log'

export interface TracesOptions {
  environment: { SVC_TRACES_URL?: string | undefined }
  /** What this process is. */
  app: string
  log: Log
}

/**
 * Sends traces where the environment names a receiver; where not, nothing is followed and no library is loaded. Opened
 * first, so that it is closed last and has all that a stopping process does.
 */
export async function openTraces(options: TracesOptions): Promise<AsyncDisposable> {
  await using opened = new AsyncDisposableStack()
  const { environment, app, log } = options
  const url = environment.SVC_TRACES_URL
  if (url !== undefined) {
    const { startTracing } = await import('./start.ts')
    opened.use(startTracing({ url, app, log }))
  }
  return opened.move()
}
