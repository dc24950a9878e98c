import { inTransaction } from '@svc/domain/commit/transaction'
import { hashPassword } from '@svc/domain/people/hash-password'
import { storePassword } from '@svc/domain/people/passwords'
import { expect } from 'vitest'
import { startRemote } from './mcp-remote.ts'
import { test, allow } from './let-in.ts'

test('mcp-remote, which is given the address alone, has a person let it in, and ask again once its access is ended', async ({
  place,
  page,
}) => {
  const { world } = place
  const password = 'four quiet words here'
  const { userId } = await world.alice.actor()
  const hash = await hashPassword(password)
  await inTransaction({ domain: world.domain }, (tx) => storePassword(tx, userId, hash))

  await using remote = await startRemote(place.resource)
  await page.goto(await remote.sentTo(1))
  await page.getByLabel('E-mail address').fill('alice@example.com')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await allow(page).click()
  await page.getByText('Authorization successful').waitFor()
  const tools = await remote.tools
  expect(await tools.listTools()).toHaveLength(24)
  const projects = () => tools.callTool('svc_resolve_project', {})
  expect(await projects()).toMatchObject({ structuredContent: { candidates: [] } })

  await page.goto(`${place.baseUrl}/account`)
  const revoke = page.getByRole('button', { name: 'Revoke MCP CLI Proxy' })
  await revoke.click()
  await revoke.waitFor({ state: 'detached' })
  const asked = projects()
  await page.goto(await remote.sentTo(2))
  await allow(page).click()
  expect(await asked).toMatchObject({ structuredContent: { candidates: [] } })
})
