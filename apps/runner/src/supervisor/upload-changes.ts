import { createHash } from 'node:crypto'
import { limits } from '@svc/contracts/limits'
import type { RouteName, RouteRequest } from '@svc/contracts/rest'
import type { ChangesOfRun } from '../git/diff.ts'
import type { Run } from '../run/run.ts'
import { isFinalForRunner, untilReached } from '../run/until-reached.ts'

/** Of the JSON of one call, well below what the service takes. */
const mostOfPart = 2 * 1024 * 1024

interface Patch {
  position: number
  patch: string
}

/**
 * Reports what a run changed, in parts. They are named by a digest of all of it: whoever sends the same again, since the one
 * before was lost between two parts, completes what is there.
 */
export async function uploadChanges(
  run: Run,
  changes: ChangesOfRun & Pick<RouteRequest<'completeRunFiles'>, 'others'>,
): Promise<void> {
  const { files, ...rest } = changes
  const report = createHash('sha256').update(JSON.stringify(changes)).digest('hex')
  const named = { id: run.requestId, leaseToken: run.order.leaseToken, report }
  const stat = files.map(({ patch: _patch, ...file }) => file)
  for (let from = 0; from < stat.length; from += limits.runFilesAtOnce) {
    const some = stat.slice(from, from + limits.runFilesAtOnce)
    await send(run, 'reportRunFiles', { ...named, from, files: some })
  }
  const patches = files.flatMap(({ patch }, position) =>
    patch === undefined ? [] : [{ position, patch }],
  )
  for (const part of partsOf(patches)) {
    await send(run, 'reportRunPatches', { ...named, patches: part })
  }
  await send(run, 'completeRunFiles', {
    ...named,
    ...rest,
    files: files.length,
    patches: patches.length,
  })
}

function* partsOf(patches: readonly Patch[]): Generator<Patch[]> {
  let part: Patch[] = []
  let size = 0
  for (const one of patches) {
    const more = JSON.stringify(one).length * 2
    if (part.length > 0 && (size + more > mostOfPart || part.length === limits.runFilesAtOnce)) {
      yield part
      part = []
      size = 0
    }
    part.push(one)
    size += more
  }
  if (part.length > 0) yield part
}

async function send<N extends RouteName>(
  run: Run,
  call: N,
  request: RouteRequest<N>,
): Promise<void> {
  await untilReached(
    (options) => run.client.call(call, request, options),
    { signal: run.fence, pace: run.pace },
    isFinalForRunner,
  )
}
