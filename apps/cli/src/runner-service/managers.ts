import { usageFailure } from '../output/failure.ts'
import { launchd } from './launchd.ts'
import type { Manager } from './manager.ts'
import { systemd } from './systemd.ts'

export function managerOf(platform: NodeJS.Platform): Manager {
  if (platform === 'darwin') return launchd
  if (platform === 'linux') return systemd
  const text =
    'Only systemd and launchd are known here: have something else keep svc runner start running.'
  throw usageFailure(text)
}
