/** Where an answer leads the browser by itself: its header says it, or the page that it shows. */
export async function ledTo(answer: Response): Promise<string | undefined> {
  return answer.headers.get('location') ?? refreshOf(await answer.text())
}

/** Where a page leads on to, as a browser reads it. */
export function refreshOf(page: string): string | undefined {
  const [, address] = /<meta http-equiv="refresh" content="0;url=([^"]*)"/.exec(page) ?? []
  return address?.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => meant[name] ?? '')
}

const meant: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
