const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** The name that people know a browser by, where it has one. */
export function describeBrowser(userAgent: string): string {
  const browser = first(browsers, userAgent)
  if (browser === undefined) return userAgent.slice(0, 80) || 'A browser'
  const system = first(systems, userAgent)
  return system === undefined ? browser : `${browser} on ${system}`
}

function first(known: [RegExp, string][], text: string): string | undefined {
  return known.find(([pattern]) => pattern.test(text))?.[1]
}
