import { createHash } from 'node:crypto'
import { CloneUrl } from '@svc/contracts/clone-url'
import { ResourceKey, Slug, Uuid } from '@svc/contracts/ids'
import { LaunchSettings } from '@svc/contracts/launch-settings'
import { z } from 'zod'
import { UnusableFile } from '@svc/process/untrusted-file'
import { readIfThere, writeDurably } from './durable-file.ts'
import type { Home } from './home.ts'

/** What a person trusted this machine's runner to start for a project. Whoever operates the machine may ship the file. */
const TrustedSettings = z.strictObject({
  service: z.url(),
  projectId: Uuid,
  projectSlug: Slug,
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  /** Those of the digest, to show what has changed; a file that was shipped may lack them. */
  settings: LaunchSettings.optional(),
  /** From where an ephemeral runner clones which resource. */
  cloneUrls: z.record(ResourceKey, CloneUrl).optional(),
})
export type TrustedSettings = z.infer<typeof TrustedSettings>

type Trusting = Pick<TrustedSettings, 'service' | 'projectId'>
type CloneUrls = Pick<TrustedSettings, 'cloneUrls'>

/** SHA-256 over canonical JSON: one character of a command, of a name or of a value makes another one. */
export function digestOf(settings: LaunchSettings): string {
  return createHash('sha256')
    .update(canonical(LaunchSettings.parse(settings)))
    .digest('hex')
}

/** Throws UnusableFile when the file cannot be read as such a list. */
export function listTrusted(home: Home): TrustedSettings[] {
  const text = readIfThere(home.trustFile)
  if (text === undefined) return []
  try {
    return z.array(TrustedSettings).parse(JSON.parse(text))
  } catch (cause) {
    const message = `${home.trustFile} is no list of trusted launch settings: repair or remove it.`
    throw new UnusableFile(message, { cause })
  }
}

export function findTrusted(home: Home, trusting: Trusting): TrustedSettings | undefined {
  return listTrusted(home).find((one) => isSame(one, trusting))
}

type Trusted = Trusting & { projectSlug: string; settings: LaunchSettings } & CloneUrls

/** Replaces what was trusted for that project before; addresses that are not given stay. */
export function trustSettings(home: Home, trusted: Trusted): TrustedSettings {
  const { service, projectId, projectSlug } = trusted
  const settings = LaunchSettings.parse(trusted.settings)
  const { cloneUrls = findTrusted(home, trusted)?.cloneUrls } = trusted
  const added = {
    service,
    projectId,
    projectSlug,
    digest: digestOf(settings),
    settings,
    ...(cloneUrls && { cloneUrls }),
  }
  write(home, [...listTrusted(home).filter((one) => !isSame(one, added)), added])
  return added
}

export function revokeTrust(home: Home, trusting: Trusting): void {
  write(
    home,
    listTrusted(home).filter((one) => !isSame(one, trusting)),
  )
}

function write(home: Home, trusted: readonly TrustedSettings[]): void {
  writeDurably(home.trustFile, `${JSON.stringify(trusted, null, 2)}\n`)
}

function isSame(one: Trusting, other: Trusting): boolean {
  return one.projectId === other.projectId && addressOf(one) === addressOf(other)
}

/** The form in which services are compared: with or without a slash at the end they are the same. */
export function addressOf({ service }: Pick<Trusting, 'service'>): string {
  return new URL(service).href.replace(/\/+$/, '')
}

function canonical(settings: LaunchSettings): string {
  return JSON.stringify(settings, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
