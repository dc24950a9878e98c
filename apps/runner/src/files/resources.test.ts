import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDevice } from './fingerprint.ts'
import { openHome } from './home.ts'
import { linkCheckout, readLinks, reportResources, unlinkCheckout } from './resources.ts'
import { createRepository, temporaryFolder } from '@svc/testing/temporary'

const link = {
  projectId: '0190a000-0000-7000-8000-000000000001',
  projectSlug: 'web',
  resourceKey: 'web',
}

test('a link is reported with what is seen of the checkout', () => {
  using folder = temporaryFolder()
  using checkout = temporaryFolder()
  const home = openHome(folder.path)
  const states = () => reportResources(home).map(({ state }) => state)
  linkCheckout(home, { ...link, path: join(checkout.path, 'none') })
  expect(states()).toEqual(['missing'])
  linkCheckout(home, { ...link, path: checkout.path })
  expect(states()).toEqual(['not_a_repository'])
  createRepository(checkout.path)
  expect(states()).toEqual(['usable'])
})

test('a second link of a resource replaces the first', () => {
  using folder = temporaryFolder()
  const home = openHome(folder.path)
  linkCheckout(home, { ...link, path: '/a' })
  linkCheckout(home, { ...link, path: '/b' })
  expect(readLinks(home).map(({ path }) => path)).toEqual(['/b'])
  unlinkCheckout(home, link)
  expect(readLinks(home)).toEqual([])
})

test('a home keeps its device and its runner for good', () => {
  using folder = temporaryFolder()
  using other = temporaryFolder()
  const first = readDevice(openHome(folder.path))
  expect(readDevice(openHome(folder.path))).toEqual(first)
  expect(readDevice(openHome(other.path)).device.fingerprint).not.toBe(first.device.fingerprint)
})
