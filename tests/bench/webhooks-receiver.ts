/** An endpoint on a thread of its own. `/hang` never answers; all else is answered at once and counted. */
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { servePosts } from '@svc/testing/receiver'

const most = 200_000

export interface BenchReceiver extends AsyncDisposable {
  url: string
  count(): number
  /** Milliseconds from the event to its arrival, of all posts since the last reset. */
  latencies(): number[]
  reset(): void
  /** Milliseconds that its thread has used of a processor. */
  cpuMs(): number
}

interface Shared {
  counter: SharedArrayBuffer
  times: SharedArrayBuffer
  cpu: SharedArrayBuffer
}

export async function openBenchReceiver(): Promise<BenchReceiver> {
  const shared: Shared = {
    counter: new SharedArrayBuffer(4),
    times: new SharedArrayBuffer(8 * most),
    cpu: new SharedArrayBuffer(8),
  }
  const worker = new Worker(new URL(import.meta.url), { workerData: shared })
  const port = await new Promise<number>((resolve) => worker.once('message', resolve))
  const counter = new Int32Array(shared.counter)
  const times = new Float64Array(shared.times)
  const cpu = new Float64Array(shared.cpu)
  return {
    url: `http://127.0.0.1:${port}`,
    count: () => Atomics.load(counter, 0),
    latencies: () => [...times.subarray(0, Atomics.load(counter, 0))].toSorted((a, b) => a - b),
    reset: () => void Atomics.store(counter, 0, 0),
    cpuMs: () => cpu[0] ?? 0,
    async [Symbol.asyncDispose]() {
      await worker.terminate()
    },
  }
}

async function serve({ counter, times, cpu }: Shared): Promise<number> {
  const counted = new Int32Array(counter)
  const latencies = new Float64Array(times)
  const used = new Float64Array(cpu)
  setInterval(() => {
    const { user, system } = process.threadCpuUsage()
    used[0] = (user + system) / 1000
  }, 20).unref()
  const { port } = await servePosts(({ path, raw }, response) => {
    if (path === '/hang') return
    const occurredAt = /"occurredAt":"([^"]+)"/.exec(raw.toString())?.[1]
    latencies[Atomics.load(counted, 0)] = Date.now() - Date.parse(occurredAt ?? '')
    Atomics.add(counted, 0, 1)
    response.end('noted')
  })
  return port
}

if (!isMainThread) {
  // given by the one that started this thread
  parentPort?.postMessage(await serve(workerData as Shared))
}
