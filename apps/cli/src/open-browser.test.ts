import { expect, test } from 'vitest'
import { openerFor, openInBrowser } from './open-browser.ts'

const address = 'http://127.0.0.1:4600/login/approve?request=x&workspace=y'

test.for([
  ['darwin', {}, 'open'],
  ['win32', {}, 'rundll32'],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, 'xdg-open'],
  ['linux', {}, undefined],
  ['darwin', { SSH_TTY: '/dev/pts/1' }, undefined],
  ['linux', { SSH_TTY: '/dev/pts/1', BROWSER: '/opt/remote-open' }, '/opt/remote-open'],
] as const)('on %s with %j it is %s that opens it', ([platform, env, program]) => {
  const opener = openerFor(env, address, platform)
  expect(opener?.program).toBe(program)
  expect(opener?.args.at(-1)).toBe(program && address)
})

test('a browser that is not there opens nothing, and fails nothing', async () => {
  expect(await openInBrowser({ BROWSER: '/nowhere/browser' }, address)).toBe(false)
})
