import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { ResourceKey, Slug, Uuid } from '@svc/contracts/ids'
import type { CheckoutState, RunnerResource } from '@svc/contracts/runner'
import { readIfThere, writeDurably } from './durable-file.ts'
import type { Home } from './home.ts'

export const LinkedCheckout = z.strictObject({
  projectId: Uuid,
  projectSlug: Slug,
  resourceKey: ResourceKey,
  path: z.string().min(1),
})
export type LinkedCheckout = z.infer<typeof LinkedCheckout>
const LinkedCheckouts = z.array(LinkedCheckout)

/** The checkouts that were linked on this machine; throws when the file cannot be read as such a list. */
export function readLinks(home: Home): LinkedCheckout[] {
  const text = readIfThere(home.resourcesFile)
  return text === undefined ? [] : LinkedCheckouts.parse(JSON.parse(text))
}

/** Links a checkout, in place of the one that was linked for the same resource. */
export function linkCheckout(home: Home, link: LinkedCheckout): void {
  const others = readLinks(home).filter((known) => !isSame(known, link))
  const links = [...others, { ...link, path: resolve(link.path) }]
  writeDurably(home.resourcesFile, `${JSON.stringify(links, null, 2)}\n`)
}

/** The other resource of the project that this folder is linked as. */
export function findSameFolder(home: Home, link: LinkedCheckout): LinkedCheckout | undefined {
  return readLinks(home).find(
    (known) =>
      known.projectId === link.projectId && known.path === link.path && !isSame(known, link),
  )
}

export function unlinkCheckout(home: Home, link: Linked): void {
  const links = readLinks(home).filter((known) => !isSame(known, link))
  writeDurably(home.resourcesFile, `${JSON.stringify(links, null, 2)}\n`)
}

/** What a claim says of the linked checkouts. */
export function reportResources(
  home: Home,
  links: readonly LinkedCheckout[] = readLinks(home),
): RunnerResource[] {
  return links.map(({ projectId, resourceKey, path }) => ({
    projectId,
    resourceKey,
    path,
    state: checkoutState(path),
  }))
}

export function checkoutState(path: string): CheckoutState {
  try {
    if (!statSync(path).isDirectory()) return 'not_a_repository'
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return existsSync(join(path, '.git')) ? 'usable' : 'not_a_repository'
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
      ? 'missing'
      : 'unreadable'
  }
}

type Linked = Pick<LinkedCheckout, 'projectId' | 'resourceKey'>

function isSame(one: Linked, other: Linked): boolean {
  return one.projectId === other.projectId && one.resourceKey === other.resourceKey
}
