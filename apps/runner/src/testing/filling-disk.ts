import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRunnerWorld } from './runner-world.ts'
import { canMount, keepFull, mountSmallDisk } from './small-disk.ts'

export const isPossible = canMount(join(tmpdir(), `svc-small-disk-${process.pid}`))

/** A world whose run finds no room any more once it is prepared, until that is disposed. */
export async function openFillingWorld(script: string) {
  const world = await openRunnerWorld(script, mountSmallDisk)
  const filling = new DisposableStack()
  world.service.answer('reportLaunching', ({ prepared }) => {
    if (prepared !== undefined) filling.use(keepFull(world.home.folder))
    return undefined
  })
  world.queue()
  return { world, filling }
}
