import type { Client } from '@svc/client/client'
import { isServiceError } from '@svc/contracts/errors'
import { addsNothing, launchSettingsOf, raisedAgents } from '@svc/contracts/launch-settings'
import type { Home } from '@svc/runner/files/home'
import { readLinks } from '@svc/runner/files/resources'
import { digestOf, findTrusted } from '@svc/runner/files/trust-file'
import { type Check, looked, ok, warn } from './check.ts'

/** What the linked projects add to their launches: a run that uses any of it fails until this machine trusts it. */
export async function checkTrusted(home: Home, client: Client, service: string): Promise<Check[]> {
  const projects = new Map(readLinks(home).map((link) => [link.projectId, link.projectSlug]))
  const checked = [...projects].map(([projectId, slug]) => {
    const what = `launch settings ${slug}`
    return looked(what, async () => {
      const answer = await settingsOf(client, projectId)
      const settings = answer && launchSettingsOf(answer.launchSettings)
      if (settings === undefined) return []
      const trusted = findTrusted(home, { service, projectId })
      const isRaised = raisedAgents(settings, trusted?.settings ?? settings).length > 0
      if (addsNothing(settings) && !isRaised) return []
      if (trusted?.digest === digestOf(settings)) return ok(what, 'trusted here')
      const why = trusted ? 'have changed since they were trusted here' : 'are not trusted here yet'
      return warn(what, `${why}: runs that use them fail`, `svc runner trust ${slug}`)
    })
  })
  return (await Promise.all(checked)).flat()
}

/** Nothing of a project that is gone: its checkout says so. */
async function settingsOf(client: Client, id: string) {
  try {
    return await client.call('getLaunchSettings', { id })
  } catch (error) {
    if (isServiceError(error) && error.code === 'not_found') return undefined
    throw error
  }
}
