const roots = '{packages,apps}/*/src/**'

/** These run next to nothing else once all others are done: hundreds of calls race with what the feed tells of them. */
const needQuiet = ['tests/web/faults-*.large.db.test.ts']

/** This one runs alone after them: the kernel takes minutes for a disk without room while other processes write. */
const needsDisk = ['tests/e2e/standalone-disk.large.e2e.test.ts']

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
    e2e: ending(['tests/e2e/**'], '.e2e.test.ts', needsDisk),
    quiet: { include: isLarge ? needQuiet : [], exclude: ['**/node_modules/**'] },
    alone: { include: isLarge ? needsDisk : [], exclude: ['**/node_modules/**'] },
  }
}
