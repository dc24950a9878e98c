import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { listen } from '@svc/testing/listen'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { cloneRepository } from './support/clone.ts'
import { startNode } from './support/processes.ts'

/** A registry with one package in one version, which npm asks as any other. */
async function openRegistry(folder: string): Promise<{ url: string; integrity: string }> {
  mkdirSync(join(folder, 'package'), { recursive: true })
  const manifest = { name: 'one-program', version: '1.0.0' }
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'package/main.js'), '')
  execFileSync('tar', ['-czf', 'it.tgz', 'package'], { cwd: folder })
  const archive = readFileSync(join(folder, 'it.tgz'))
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`
  const server = createServer(({ url, headers }, answer) => {
    if (url?.endsWith('.tgz')) return answer.end(archive)
    const dist = { tarball: `http://${headers.host}/it.tgz`, integrity }
    const versions = { '1.0.0': { ...manifest, dist } }
    return answer.end(
      JSON.stringify({ name: manifest.name, 'dist-tags': { latest: '1.0.0' }, versions }),
    )
  })
  const listening = await listen(server)
  onTestFinished(() => listening[Symbol.asyncDispose]())
  return { url: listening.url, integrity }
}

test('a package of the toolchain is what its hash says, or nothing of it is kept', async () => {
  const clone = cloneRepository()
  onTestFinished(() => clone[Symbol.dispose]())
  const { url, integrity } = await openRegistry(join(clone.folder, '.svc/registry'))
  const driver = join(clone.folder, 'scripts/fetch-one.mjs')
  writeFileSync(
    driver,
    `import { prepareProgram } from './bootstrap/prepare.mjs'
    import { finish } from './bootstrap/signals.mjs'
    const it = { name: 'one-program', version: '1.0.0', file: 'main.js', integrity: process.argv[2] }
    const [code, said] = await prepareProgram(it).then((path) => [0, path], ({ message }) => [1, message])
    console.log(said)
    finish(code)`,
  )
  const fetchWith = async (expected: string) => {
    const started = startNode(driver, [expected], {
      cwd: clone.folder,
      env: { ...clone.env, npm_config_registry: url },
    })
    return { ...(await started.ended), output: started.output() }
  }
  const kept = () => readdirSync(join(clone.folder, '.svc/toolchain'))
  const other = `sha512-${createHash('sha512').update('another').digest('base64')}`
  const refused = await fetchWith(other)
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('by its hash') })
  expect(kept().filter((name) => /one-program|tmp/.test(name))).toEqual([])
  const good = await fetchWith(integrity)
  expect(good).toMatchObject({ code: 0, output: expect.stringContaining('main.js') })
})

const Lockfile = z.object({
  packages: z.record(z.string(), z.object({ integrity: z.string().optional() })),
})

test.each(globSync(join(import.meta.dirname, '../../scripts/bootstrap/locks/*.json')))(
  '%s has the hash of every package, and no place to fetch it from',
  (path) => {
    const text = readFileSync(path, 'utf8')
    const { '': _root, ...packages } = Lockfile.parse(JSON.parse(text)).packages
    const entries = Object.entries(packages)
    expect(entries.length).toBeGreaterThan(1)
    expect(entries.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
    expect(text).not.toContain('resolved')
  },
)
