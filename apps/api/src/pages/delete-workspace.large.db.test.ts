import { browse } from '@svc/testing/fetch-pages'
import { enrol } from '@svc/domain/testing/enrol'
import { highLimits } from '@svc/testing/high-limits'
import { signedIn } from '@svc/domain/testing/signed-in'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { testAt } from '../testing/place.ts'
import { pagePaths } from './paths.ts'

let count = 0

const test = testAt(async ({ world, baseUrl }) => {
  const { domain } = world
  const browserOf = async ({ userId }: { userId: string }) =>
    browse(baseUrl, await signedIn(domain, { userId, baseUrl }))
  /** A workspace of its own, with an owner and an admin and a browser of each. */
  const workspace = async () => {
    count += 1
    const slug = `own-${count}`
    const owner = await enrol(domain, { workspace: slug, name: `owner-${count}`, role: 'owner' })
    const admin = await enrol(domain, { workspace: slug, name: `admin-${count}`, role: 'admin' })
    const page = `${pagePaths.deleteWorkspace}?workspace=${slug}`
    const [theirs, admins] = [await browserOf(owner), await browserOf(admin)]
    return { slug, name: `Own-${count}`, owner, admin, page, theirs, admins }
  }
  const accountOf = async (browser: Awaited<ReturnType<typeof browserOf>>) =>
    (await browser.get(pagePaths.account)).text()
  return { world, workspace, accountOf }
}, highLimits)

/** Where a form has led. */
const ledTo = (answer: Response) => [answer.status, answer.headers.get('location')]

describe('a workspace, at the account of its owner', () => {
  test('is deleted by its name and restored, each also when it is sent twice', async ({
    place: { workspace, accountOf },
  }) => {
    const { slug, name, owner, admin, page, theirs } = await workspace()
    expect(await accountOf(theirs)).toContain(`${pagePaths.deleteWorkspace}?workspace=${slug}`)
    const fields = { workspace: owner.workspaceId }
    const remove = (typed: string) =>
      theirs.submit(page, pagePaths.deleteWorkspace, { ...fields, name: typed })
    expect(await (await remove('Another')).text()).toContain(`is called ${name}`)
    expect((await admin.call('getWorkspace', {})).workspace.name).toBe(name)

    const form = await theirs.open(page)
    const send = () => form.submit(pagePaths.deleteWorkspace, { ...fields, name })
    for (const answer of [await send(), await send()]) {
      expect(ledTo(answer)).toEqual([303, `${pagePaths.account}?done=deleted`])
    }
    await expect(admin.call('getWorkspace', {})).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(await accountOf(theirs)).toContain(`aria-label="Restore ${name}"`)

    const back = await theirs.open(pagePaths.account)
    const restore = () => back.submit(pagePaths.restoreWorkspace, fields)
    for (const answer of [await restore(), await restore()]) {
      expect(ledTo(answer)).toEqual([303, `${pagePaths.account}?done=restored`])
    }
    expect((await admin.call('getWorkspace', {})).workspace.name).toBe(name)
    expect(await accountOf(theirs)).not.toContain('Deleted workspaces')
    const { entries } = await owner.call('listAudit', {})
    const done = entries.map(({ action }) => action)
    expect(done.filter((one) => one.startsWith('workspace.'))).toEqual([
      'workspace.restored',
      'workspace.deleted',
    ])
  })

  test('is neither shown nor given back to anybody else', async ({
    place: { workspace, accountOf },
  }) => {
    const { name, owner, page, theirs, admins } = await workspace()
    const other = await workspace()
    expect((await admins.get(page)).status).toBe(403)
    expect(await accountOf(admins)).not.toContain(pagePaths.deleteWorkspace)
    await theirs.submit(page, pagePaths.deleteWorkspace, { workspace: owner.workspaceId, name })
    expect(await accountOf(admins)).not.toContain(name)
    // a form of their own, with the id of a workspace that is not theirs
    await other.theirs.submit(other.page, pagePaths.deleteWorkspace, {
      workspace: other.owner.workspaceId,
      name: other.name,
    })
    for (const workspaceId of [owner.workspaceId, 'none']) {
      const answer = await other.theirs.submit(pagePaths.account, pagePaths.restoreWorkspace, {
        workspace: workspaceId,
      })
      expect(answer.status).toBeGreaterThanOrEqual(400)
    }
    expect(await accountOf(theirs)).toContain(`aria-label="Restore ${name}"`)
  })

  test('cannot be restored once it is going for good', async ({
    place: { workspace, accountOf, world },
  }) => {
    const { name, owner, page, theirs } = await workspace()
    await theirs.submit(page, pagePaths.deleteWorkspace, { workspace: owner.workspaceId, name })
    const back = await theirs.open(pagePaths.account)
    // the sign-in of this browser would have ended by then
    await sql`update workspaces set deleted_at = app.now() - interval '30 days'
               where id = ${owner.workspaceId}`.execute(world.domain.db)
    expect(await accountOf(theirs)).not.toContain(name)
    const late = await back.submit(pagePaths.restoreWorkspace, { workspace: owner.workspaceId })
    expect(late.status).toBe(404)
  })
})
