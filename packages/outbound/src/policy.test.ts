import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { expect, test, vi } from 'vitest'
import { createPolicy, mayReach } from './policy.ts'

test('a public address of this very machine is not reached', () => {
  const [nobody] = Object.values(os.networkInterfaces()).flatMap((list) => list ?? [])
  const entry = { ...nobody!, address: '93.184.216.34' }
  const spy = vi.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0: [entry] })
  syncBuiltinESMExports()
  try {
    const policy = createPolicy()
    const target = { host: 'example.com', entries: [] }
    expect(mayReach(target, '93.184.216.34', policy)).toBe(false)
    expect(mayReach(target, '::ffff:93.184.216.34', policy)).toBe(false)
    expect(mayReach(target, '93.184.216.35', policy)).toBe(true)
  } finally {
    spy.mockRestore()
    syncBuiltinESMExports()
  }
})
