import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { chooseLocation, spawnIdentity } from './launch-identity.ts'

const isRoot = process.getuid?.() === 0
const modeOf = (folder: string) => statSync(folder).mode & 0o777

let parent = ''
let umask = 0
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'launch-identity-'))
  chmodSync(parent, 0o755)
  umask = process.umask(0o077)
})
afterEach(() => {
  process.umask(umask)
  rmSync(parent, { recursive: true })
})

describe('under a umask that shuts others out', () => {
  test('others may pass through the folder of a database and those that were made with it', () => {
    const folder = join(parent, 'data', 'postgres')
    expect(chooseLocation(folder).base).toBe(folder)
    expect([dirname(folder), folder].map(modeOf)).toEqual([0o711, 0o711])
  })

  describe.runIf(isRoot)('and where root alone can enter', () => {
    let closed = ''
    let shared = ''
    beforeEach(() => {
      closed = join(parent, 'closed')
      shared = join(parent, 'lib', 'svc')
      mkdirSync(closed)
    })
    const choose = () => chooseLocation(closed, shared)
    const elsewhere = () => ({
      base: expect.stringContaining(`${shared}/`),
      identity: { kind: 'nobody' },
    })

    test('a database finds its location where those of root are', () => {
      expect(choose()).toMatchObject(elsewhere())
    })

    test('a new database opens a location that was closed to others', () => {
      mkdirSync(shared, { recursive: true })
      chmodSync(dirname(shared), 0o711)
      expect(choose()).toMatchObject(elsewhere())
      expect(modeOf(shared)).toBe(0o711)
    })

    test('one that is there is found again, although its location was closed to others', () => {
      const { base, identity } = choose()
      const data = join(base, 'cluster', 'data')
      mkdirSync(data, { recursive: true })
      const { uid = 0, gid = 0 } = spawnIdentity(identity)
      chownSync(data, uid, gid)
      for (const folder of [shared, base]) chmodSync(folder, 0o700)
      expect(choose()).toEqual({ base, identity })
      expect([shared, base].map(modeOf)).toEqual([0o711, 0o711])
    })
  })
})
