import type { Client } from '@svc/client/client'
import { isServiceError } from '@svc/contracts/errors'
import type { Home } from '@svc/runner/files/home'
import { type LinkedCheckout, checkoutState, readLinks } from '@svc/runner/files/resources'
import { findBase } from '@svc/runner/git/refs'
import { lookAtOrigin } from '../branches/at-origin.ts'
import { shellWord } from '@svc/contracts/shell-words'
import { type Check, fail, looked, ok, warn } from './check.ts'

/** Every linked checkout; without a client the base is not looked for, which the service alone knows. */
export async function checkCheckouts(home: Home, client: Client | undefined): Promise<Check[]> {
  const links = readLinks(home)
  if (links.length === 0) {
    return [
      warn(
        'checkouts',
        'none is linked: runs have only scratch folders',
        'svc resource link --help',
      ),
    ]
  }
  const checked = links.map((link) => looked(nameOf(link), () => checkLink(link, client)))
  return (await Promise.all(checked)).flat()
}

function nameOf({ projectSlug, resourceKey }: LinkedCheckout): string {
  return `checkout ${projectSlug} ${resourceKey}`
}

const problems = {
  missing: 'does not exist any more',
  unreadable: 'cannot be read and written by you',
  not_a_repository: 'is not the top folder of a Git repository',
} as const

async function checkLink(link: LinkedCheckout, client: Client | undefined): Promise<Check> {
  const { projectSlug, resourceKey, path } = link
  const what = nameOf(link)
  const again = `svc resource link ${projectSlug} <path> --key ${resourceKey}`
  const state = checkoutState(path)
  if (state !== 'usable') return fail(what, `${path} ${problems[state]}`, again)
  const base = client && (await baseOf(client, link))
  if (client !== undefined && base === undefined) {
    const unlink = `svc resource unlink ${projectSlug} ${resourceKey} --here`
    return warn(what, `the project or the resource is gone`, unlink)
  }
  if (base !== undefined && (await findBase(path, base)) === undefined) {
    const other = `svc resource link ${projectSlug} ${shellWord(path)} --key ${resourceKey} --base <branch>`
    return fail(what, `${path} has no commit on ${base}, from which branches are cut`, other)
  }
  return await checkOrigin(what, path, base)
}

async function baseOf(client: Client, { projectId: id, resourceKey }: LinkedCheckout) {
  try {
    const { project } = await client.call('getProject', { id })
    const { resources } = await client.call('listProjectResources', { id })
    const resource = resources.find((one) => one.resourceKey === resourceKey)
    return resource && (resource.defaultBranch ?? project.defaultBranch)
  } catch (error) {
    if (isServiceError(error) && error.code === 'not_found') return undefined
    throw error
  }
}

async function checkOrigin(what: string, path: string, base: string | undefined): Promise<Check> {
  const text = base === undefined ? path : `${path}, base ${base}`
  const origin = await lookAtOrigin(path)
  if (origin === 'none') return ok(what, `${text}; without an origin its branches stay here`)
  if (origin !== 'unreachable') return ok(what, `${text}; origin answers`)
  const fetching = `git -C ${shellWord(path)} fetch origin`
  return warn(
    what,
    `${text}; origin does not answer, so runs start from what was fetched`,
    fetching,
  )
}
