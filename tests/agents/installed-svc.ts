import { join } from 'node:path'
import { packAll } from '../e2e/support/packages.ts'

/** svc as people install it. */
export interface InstalledSvc extends Disposable {
  program: string
  /** Of all packages. */
  tarballs: readonly string[]
}

export function installSvc(): InstalledSvc {
  using opened = new DisposableStack()
  const packages = opened.use(packAll())
  const tarballs = ['svc', 'svc-client', 'svc-webhooks'].map((name) => packages.tarball(name))
  const [svc = ''] = tarballs
  const program = join(packages.install([svc]), 'svc/dist/main.js')
  const kept = opened.move()
  return { program, tarballs, [Symbol.dispose]: () => kept.dispose() }
}
