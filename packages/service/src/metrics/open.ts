import type { Domain } from '@svc/domain/domain'
import { createApp } from '@svc/http/create-app'
import { serve } from '@svc/http/serve'
import type { Log } from '@svc/process/log'

export interface MetricsOptions {
  environment: { SVC_HOST: string; SVC_METRICS_PORT?: number | undefined }
  domain: Domain
  log: Log
  /** Whether what the whole service has to do is read with each look, too: the same from each process that does. */
  ofService?: boolean
}

/** Serves /metrics where the environment names a port for it; where not, nothing is measured and no library is loaded. */
export async function openMetrics(options: MetricsOptions): Promise<AsyncDisposable> {
  await using opened = new AsyncDisposableStack()
  const { environment, domain, log, ofService = false } = options
  const { SVC_HOST: host, SVC_METRICS_PORT: port } = environment
  if (port !== undefined) {
    const { createMeter } = await import('./meter.ts')
    const meter = opened.use(createMeter({ domain, log, ofService }))
    const app = createApp(log)
    app.get('/metrics', async (context) => {
      const text = await meter.read()
      return context.text(text, 200, { 'content-type': meter.contentType })
    })
    opened.use(await serve({ app, host, port, drainSeconds: 0, log }))
  }
  return opened.move()
}
