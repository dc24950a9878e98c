import type { Checks } from '@svc/contracts/check'
import { launchSettingsOf } from '@svc/contracts/launch-settings'
import { trustSettings } from '@svc/runner/files/trust-file'
import type { Machine } from './machine.ts'
import type { Scene } from './scene.ts'

/** The project names these checks, and the machine is told to trust them. */
export async function checkWith(
  { scene, machine }: { scene: Pick<Scene, 'client' | 'project'>; machine: Machine },
  checks: Checks,
): Promise<void> {
  const { client, project } = scene
  const { launchSettings } = await client.call('updateLaunchSettings', { id: project.id, checks })
  trustSettings(machine.home, {
    service: machine.proxy.url,
    projectId: project.id,
    projectSlug: project.slug,
    settings: launchSettingsOf(launchSettings),
  })
}
