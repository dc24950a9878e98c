import type { Page } from './stage.ts'

/** What a page holds, once its garbage is collected. */
export async function weigh(page: Page) {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('HeapProfiler.collectGarbage')
  await devTools.send('Performance.enable')
  const { metrics } = await devTools.send('Performance.getMetrics')
  await devTools.detach()
  const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN
  return { heap: of('JSHeapUsedSize'), nodes: of('Nodes'), listeners: of('JSEventListeners') }
}

/** Its own objects, as text. */
export async function heapOf(page: Page): Promise<string> {
  const { heap } = await weigh(page)
  return `${(heap / 2 ** 20).toFixed(1)} MiB`
}
