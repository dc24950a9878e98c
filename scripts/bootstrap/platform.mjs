/** Name of this machine's kind of binaries, as packages with binaries have it in theirs. */
export function platform() {
  if (process.platform !== 'linux') return `${process.platform}-${process.arch}`
  process.report.excludeNetwork = true
  const musl = process.report.getReport().header.glibcVersionRuntime === undefined
  return `linux-${process.arch}${musl ? '-musl' : ''}`
}
