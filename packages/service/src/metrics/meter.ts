import type { Domain } from '@svc/domain/domain'
import type { Log } from '@svc/process/log'
import { Registry, collectDefaultMetrics } from 'prom-client'
import { measureProcess } from './of-process.ts'
import { measureService } from './of-service.ts'

export interface Meter extends Disposable {
  readonly contentType: string
  /** Everything that is measured, in the text format of Prometheus. */
  read: () => Promise<string>
}

interface MeterOptions {
  domain: Domain
  log: Log
  ofService: boolean
}

export function createMeter({ domain, log, ofService }: MeterOptions): Meter {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const hearing = measureProcess(registry, domain)
  const look = ofService ? measureService(registry, domain, log) : undefined
  return {
    contentType: registry.contentType,
    async read() {
      await look?.()
      return registry.metrics()
    },
    [Symbol.dispose]: () => hearing.dispose(),
  }
}
