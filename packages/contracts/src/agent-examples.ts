/** What an agent may send in addition to its words, as its tools, its commands and its briefing show it. */
export const agentExamples = {
  report: {
    humanActions: [{ action: 'Switch the flag on', reason: 'It is off', blocking: false }],
    tradeoffsMade: [{ decision: 'Kept both palettes', rationale: 'Old pages', impact: 'Size' }],
    risks: [{ text: 'Links are pale', evidence: 'Contrast 4.1' }],
    deferredWork: [{ text: 'Print styles' }],
    assumptions: [{ text: 'No theme is stored yet' }],
  },
  artifacts: [{ type: 'test_results', label: 'Tests', contentText: '42 passed' }],
  changeRationales: [
    {
      filePath: 'src/theme.ts',
      label: 'Dark palette',
      summary: 'Adds dark colours',
      why: 'Each component had its own',
      impact: 'All read the theme',
    },
  ],
  ledgerItems: [{ filePath: 'src/theme.ts', vcsStatus: 'modified' }],
}

/** As an option of `svc protocol`, in a shell's quotes. */
export function exampleOption(option: string): string | undefined {
  const name = option.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const example = Object.entries(agentExamples).find(([key]) => key === name)?.[1]
  return example && `--${option}-json '${JSON.stringify(example)}'`
}
