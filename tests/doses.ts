const roots = '{packages,apps}/*/src/**'

/**
 * These run once all others are done: the kernel takes minutes for a disk without room while other processes write, and
 * hundreds of calls that meet a fault each race with what the feed tells of them.
 */
const needQuiet = [
  'tests/e2e/standalone-disk.large.e2e.test.ts',
  'tests/web/faults.large.db.test.ts',
]

/**
 * The test files of each kind. A file with `.large.` in its name is a larger dose of what `npm test` takes a small one
 * of: `npm run test:large` takes these, and nothing else.
 */
export function filesOf(mode: string) {
  const isLarge = mode === 'large'
  const ending = (places: readonly string[], end: string, not: readonly string[] = []) => ({
    include: places.map((place) => `${place}/*${isLarge ? '.large' : ''}${end}`),
    exclude: ['**/node_modules/**', ...(isLarge ? [] : ['**/*.large.*']), ...not],
  })
  return {
    unit: ending([roots, 'tests{,/docs,/web}'], '.test.ts', [
      '**/*.db.test.ts',
      '**/*.e2e.test.ts',
    ]),
    db: ending([roots, 'tests/**'], '.db.test.ts', needQuiet),
    e2e: ending(['tests/e2e/**'], '.e2e.test.ts', needQuiet),
    quiet: { include: isLarge ? needQuiet : [], exclude: ['**/node_modules/**'] },
  }
}
