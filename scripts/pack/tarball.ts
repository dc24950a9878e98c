import { execFileSync } from 'node:child_process'

export interface Tarball {
  filename: string
  size: number
  unpackedSize: number
  entryCount: number
}

/** What npm makes of the folder: the same bytes for the same files. */
export function makeTarball(folder: string, to: string): Tarball {
  const words = ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', to]
  const answer = execFileSync('npm', words, { cwd: folder, encoding: 'utf8' })
  // a list with the one package, as npm documents it
  const [tarball] = JSON.parse(answer) as [Tarball]
  return tarball
}
