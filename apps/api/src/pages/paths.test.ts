import { expect, test } from 'vitest'
import { foreignTargets, ownTargets } from '../testing/return-targets.ts'
import { pagePaths, safeNext, signInPath } from './paths.ts'

const pages = ['https://svc.example/signin', 'http://127.0.0.1:4747/signin']

/** Whether a browser that is sent to this address from that page stays with the service. */
function stays(target: string, page: string): boolean {
  return URL.parse(target, page)?.origin === new URL(page).origin
}

test.for(foreignTargets)(
  'nobody is redirected to another site after signing in, however it is written: %j',
  (given) => {
    expect(pages.every((page) => stays(given, page))).toBe(false)
    expect(safeNext(given)).toBe(pagePaths.front)
  },
)

test.for(ownTargets)('whoever is redirected stays with the service: %j', (given) => {
  const next = safeNext(given)
  expect([given, pagePaths.front]).toContain(next)
  // as every header can hold it, and no proxy finds it too long
  expect(next).toMatch(/^\/[!-~]{0,2000}$/)
  for (const page of pages) {
    expect(stays(next, page)).toBe(true)
    const asked = new URL(signInPath(given), page).searchParams.get('next')
    expect(safeNext(asked ?? undefined)).toBe(next)
  }
})

test('the way to signing in is short, however long the address is that led there', () => {
  expect(signInPath(`/w/acme?x=${'%'.repeat(9_000)}`)).toBe(signInPath(pagePaths.front))
})

test('whoever wanted to go nowhere comes to their workspace', () => {
  expect(safeNext(undefined)).toBe(pagePaths.front)
})

test.for([
  '/login/approve?request=a-b_c',
  '/oauth/approve?request=1&x=%20#a',
  '/account',
  '/w/acme/m/web:12?do=launch#timeline',
  `/${'x'.repeat(2_000)}`,
])('whoever wanted to go to a page comes there: %j', (given) => {
  expect(safeNext(given)).toBe(given)
})
