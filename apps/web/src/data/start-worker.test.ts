import { expect, test } from 'vitest'
import { ownScript } from './start-worker.ts'

test('only a file that the build has named becomes a script', () => {
  expect(ownScript('/assets/find.worker-Cx_1.js')).toBe('/assets/find.worker-Cx_1.js')
  for (const other of [
    'https://evil.example/assets/x.js',
    '//evil.example/assets/x.js',
    '/assets/../api/x.js',
    'data:text/javascript,alert(1)',
    '/assets/x.js?then',
  ]) {
    expect(() => ownScript(other)).toThrow('no script of this app')
  }
})
