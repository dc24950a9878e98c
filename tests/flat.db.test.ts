import { describeFlat } from './flat/describe-flat.ts'

// That an index finds what is asked for. That it is chosen is for the larger dose, whose tables are worth it.
describeFlat({ missions: 5000, byIndexes: true, share: 'the launch path' })
