interface Check {
  what: string
  state: string
  told: string
  fix?: string
}

export async function checksOf(answer: Promise<{ code: number; stdout: string }>) {
  const { code, stdout } = await answer
  const { checks }: { checks: Check[] } = JSON.parse(stdout)
  return { code, of: (what: string) => checks.filter((one) => one.what === what) }
}
