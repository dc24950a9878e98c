import { enrol } from '@svc/domain/testing/enrol'
import { nextName } from '@svc/domain/testing/plans'
import { type Scene, type SceneSetUp, type TokenOrder, openScene } from '../e2e/support/scene.ts'
import type { PageScene } from '../pages/scene.ts'

/** A mission in that workspace, with a real runner whose machine has the checkout and the scripted agent. */
export async function openRealWork(
  { world, baseUrl }: PageScene,
  { workspace = 'here', ...setUp }: SceneSetUp & { workspace?: string },
): Promise<Scene> {
  const token = async ({ person = nextName('person'), ...order }: TokenOrder = {}) =>
    (await enrol(world.domain, { workspace, name: person, ...order })).token
  const work = await openScene({ baseUrl, token }, { repository: true, ...setUp })
  await work.machine()
  await work.connected()
  return work
}
