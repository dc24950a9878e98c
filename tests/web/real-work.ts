import { enrol } from '@svc/domain/testing/enrol'
import { nextName } from '@svc/domain/testing/plans'
import { type Scene, type SceneSetUp, type TokenOrder, openScene } from '../e2e/support/scene.ts'
import type { PageScene } from '../pages/scene.ts'

type RealSetUp = SceneSetUp & { workspace?: string }

/** A mission in that workspace, with a repository and real machines on request. */
export async function openRealScene(
  { world, baseUrl }: PageScene,
  { workspace = 'here', ...setUp }: RealSetUp,
): Promise<Scene> {
  const token = async ({ person = nextName('person'), ...order }: TokenOrder = {}) =>
    (await enrol(world.domain, { workspace, name: person, ...order })).token
  return openScene({ baseUrl, token }, { repository: true, ...setUp })
}

/** The same with a real runner whose machine has the checkout and the scripted agent. */
export async function openRealWork(scene: PageScene, setUp: RealSetUp): Promise<Scene> {
  const work = await openRealScene(scene, setUp)
  await work.machine()
  await work.connected()
  return work
}
