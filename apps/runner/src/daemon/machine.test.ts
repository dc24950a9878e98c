import { expect, test } from 'vitest'
import { defaultMax, runsAtOnce } from './machine.ts'

const GiB = 1024 ** 3

test.each([
  ['a Mac of 64 GB, next to none of it free', 'darwin', [10, 64, 0.2, 0.2], 20],
  ['a Mac of 8 GB', 'darwin', [8, 8, 0.1, 0.1], 6],
  ['a Linux machine that is free', 'linux', [4, 32, 28, 28], 8],
  ['a Linux machine whose memory is taken', 'linux', [16, 64, 3, 3], 5],
  ['a container with 2 GB of a large machine', 'linux', [16, 256, 200, 2], 3],
  ['a container that may take more than its machine has left', 'linux', [16, 64, 2, 8], 3],
  ['a container with no room', 'linux', [2, 16, 8, 0.1], 1],
] as const)(
  '%s has room for as many runs by default',
  (_what, platform, [cores, ...memory], runs) => {
    const [totalBytes, freeBytes, availableBytes] = memory.map((size) => size * GiB)
    const sizes = {
      totalBytes: totalBytes!,
      freeBytes: freeBytes!,
      availableBytes: availableBytes!,
    }
    expect(runsAtOnce({ platform, cores, ...sizes })).toBe(runs)
  },
)

test('this machine has room for a run', () => {
  expect(defaultMax()).toBeGreaterThanOrEqual(1)
})
