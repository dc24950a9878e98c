import { runsWhatItsOwnerSets } from './standalone-trust.ts'

runsWhatItsOwnerSets(
  'the runner of the standalone app runs at once what its owner sets, and nothing that anybody else has set',
  'all',
)
