package conform

// Reasons why something is not checked with a program.
const (
	ofAgents       = "it is the duty of agents"
	ofShims        = "it is about the files of a registry, of which a program has none"
	ofTranslations = "it is about lists of tools for models, which others make of the description"
)

// atipRows are the RFC of ATIP 0.6, by its sections.
var atipRows = []Clause{
	{ID: "atip-3.1-agent", Level: Must, Section: "3.1", Gist: "--agent is answered with a description", check: atipAgent},
	{ID: "atip-3.1-no-effects", Level: Must, Section: "3.1", Gist: "--agent has no side effects (checked: it leaves no files in its folder and home)", check: atipEffects},
	{ID: "atip-3.1-json", Level: Must, Section: "3.1", Gist: "the description is JSON in UTF-8", check: atipJSON},
	{ID: "atip-3.1-exit-code", Level: Must, Section: "3.1", Gist: "the exit code is 0", check: atipExit},
	{ID: "atip-3.1-stdout", Level: Must, Section: "3.1", Gist: "the description is on stdout", check: atipStdout},
	{ID: "atip-3.1.1-partial", Level: Should, Section: "3.1.1", Gist: "programs with many commands describe parts: --commands=a,b and --depth=N", check: atipPartial},
	{ID: "atip-3.1.1-said", Level: Should, Section: "3.1.1", Gist: "a partial description says so: partial, filter, totalCommands, includedCommands, omitted", check: atipSaid},
	{ID: "atip-3.2-root", Level: Must, Section: "3.2", Plain: true, Gist: "the root has atip, name, version and description", check: atipRoot},
	{ID: "atip-3.2-name", Level: Must, Section: "3.2", Plain: true, Gist: "the name is that of the program", check: atipName},
	{ID: "atip-3.2-description", Level: Should, Section: "3.2", Plain: true, Gist: "the description of the root has up to 200 characters", check: atipShort},
	{ID: "atip-3.2.1-version", Level: Must, Section: "3.2.1", Plain: true, Gist: "atip says a version, in an object or, as before 0.4, as a text", check: atipVersion},
	{ID: "atip-3.2.1-both", Level: Must, Section: "3.2.1", Gist: "both forms of atip are read", Unchecked: ofAgents},
	{ID: "atip-3.2.2-trust", Level: Must, Section: "3.2.2", Plain: true, Gist: "the source of trust is a word of the list", check: atipTrust},
	{ID: "atip-3.2.2-flow", Level: Should, Section: "3.2.2", Gist: "trust is verified in the order that is shown", Unchecked: ofAgents},
	{ID: "atip-3.2.2-checksum", Level: Must, Section: "3.2.2", Gist: "a checksum that is given is compared", Unchecked: ofAgents},
	{ID: "atip-3.2.2-signature", Level: Should, Section: "3.2.2", Gist: "a signature that is given is verified", Unchecked: ofAgents},
	{ID: "atip-3.2.2-provenance", Level: Should, Section: "3.2.2", Gist: "an attestation that is given is verified", Unchecked: ofAgents},
	{ID: "atip-3.3-commands", Level: Must, Section: "3.3", Plain: true, Gist: "each command has a description", check: atipCommands},
	{ID: "atip-3.4-arguments", Level: Must, Section: "3.4", Plain: true, Gist: "each argument has name, type and description", check: atipArguments},
	{ID: "atip-3.5-options", Level: Must, Section: "3.5", Plain: true, Gist: "each option has name, flags, type and description", check: atipOptions},
	{ID: "atip-3.6-effects", Level: Must, Section: "3.6", Plain: true, Gist: "effects are said with true and false and the words of their lists", check: atipEffectKinds},
	{ID: "atip-3.6-priority", Level: Must, Section: "3.6", Gist: "effects of high priority are kept for every provider", Unchecked: ofTranslations},
	{ID: "atip-3.7-types", Level: Must, Section: "3.7", Plain: true, Gist: "types are those of the list; an enum has its values", check: atipTypes},
	{ID: "atip-3.9-patterns", Level: Must, Section: "3.9", Plain: true, Gist: "patterns have name, description and steps", check: atipPatterns},
	{ID: "atip-3.9-executable", Level: Must, Section: "3.9", Gist: "variables and effects of executable patterns are checked", Unchecked: ofAgents},
	{ID: "atip-4.5-hash", Level: Must, Section: "4.5", Gist: "the hash in a shim is that of its file name", Unchecked: ofShims},
	{ID: "atip-4.7-updates", Level: Should, Section: "4.7", Gist: "new metadata of a shim is looked for", Unchecked: ofAgents},
	{ID: "atip-4.7-fixed-hash", Level: Must, Section: "4.7", Gist: "the hash of a shim never changes", Unchecked: ofShims},
	{ID: "atip-4.10.4-inferred", Level: Should, Section: "4.10.4", Gist: "shims that were guessed are trusted less", Unchecked: ofAgents},
	{ID: "atip-5.2-scanning", Level: Should, Section: "5.2", Gist: "programs in PATH are asked with care", Unchecked: ofAgents},
	{ID: "atip-7.3-parallel", Level: Should, Section: "7.3", Gist: "calls without a conflict run side by side", Unchecked: ofAgents},
	{ID: "atip-8.2-in-descriptions", Level: Must, Section: "8.2", Gist: "effects are told in the descriptions for models", Unchecked: ofTranslations},
	{ID: "atip-8.2-limit", Level: Must, Section: "8.2", Gist: "the words for effects fit the limit of the provider", Unchecked: ofTranslations},
	{ID: "atip-11.1-claims", Level: Should, Section: "11.1", Gist: "descriptions are not taken for truth", Unchecked: ofAgents},
	{ID: "atip-11.2-before", Level: Must, Section: "11.2", Gist: "calls are checked before they run", Unchecked: ofAgents},
	{ID: "atip-12.2-prefix", Level: Must, Section: "12.2", Gist: "members of one's own begin with x-", check: atipPrefix},
	{ID: "atip-12.2-ignored", Level: Must, Section: "12.2", Gist: "unknown members with x- are ignored", Unchecked: ofAgents},
	{ID: "atip-12.2-no-override", Level: Must, Section: "12.2", Gist: "extensions override nothing of the standard", Unchecked: "what a member with a name of its own means to agents is not to be seen"},
	{ID: "atip-12.2-documented", Level: Should, Section: "12.2", Gist: "extensions are documented", Unchecked: "the documentation of a program is not part of its description"},
}
