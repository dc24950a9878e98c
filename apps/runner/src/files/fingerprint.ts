import { randomUUID } from 'node:crypto'
import { arch, hostname, platform } from 'node:os'
import { z } from 'zod'
import type { Device } from '@svc/contracts/runner'
import { createDurably, readIfThere } from './durable-file.ts'
import type { Home } from './home.ts'

const StoredDevice = z.strictObject({ fingerprint: z.string().min(8), instanceId: z.uuid() })

/** What names this machine and this runner to the service. Random, kept in the home, proves nothing. */
export interface DeviceIdentity {
  device: Device
  instanceId: string
}

export function readDevice(home: Home, label?: string): DeviceIdentity {
  return identityOf(readStored(home) ?? createStored(home), label)
}

/** Of an ephemeral runner: another one with each start, since the service does not take back what is gone. */
export function newDevice(label?: string): DeviceIdentity {
  return identityOf({ fingerprint: randomUUID(), instanceId: randomUUID() }, label)
}

function identityOf(
  stored: z.infer<typeof StoredDevice>,
  label = hostname() || 'unnamed',
): DeviceIdentity {
  return {
    instanceId: stored.instanceId,
    device: {
      fingerprint: stored.fingerprint,
      label,
      platform: platform(),
      arch: arch(),
    },
  }
}

function readStored(home: Home): z.infer<typeof StoredDevice> | undefined {
  const text = readIfThere(home.deviceFile)
  return text === undefined ? undefined : StoredDevice.parse(JSON.parse(text))
}

function createStored(home: Home): z.infer<typeof StoredDevice> {
  const created = { fingerprint: randomUUID(), instanceId: randomUUID() }
  // Somebody else may have been first; then theirs counts.
  return createDurably(home.deviceFile, JSON.stringify(created)) ? created : readDeviceFile(home)
}

function readDeviceFile(home: Home): z.infer<typeof StoredDevice> {
  return StoredDevice.parse(JSON.parse(readIfThere(home.deviceFile) ?? 'null'))
}
