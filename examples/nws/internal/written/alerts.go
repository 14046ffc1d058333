package main

// An alert was invented for the places of its slugs, and for the state.
type alert struct {
	state                               string
	slugs                               []string
	event, severity, certainty, urgency string
	areas, onset, ends, office          string
	description, instruction            string
}

// alerts are those in force; Maine, Nebraska and Guam have theirs in files that
// were written by hand.
var alerts = []alert{
	{"MA", []string{"boston"}, "Wind Advisory", "Moderate", "Likely", "Expected", "Suffolk; Eastern Essex; Eastern Norfolk", "2026-11-19T07:00:00-05:00", "2026-11-19T19:00:00-05:00", "NWS Boston/Norton MA",
		"* WHAT...Southwest winds 20 to 30 mph with gusts up to 50 mph expected.\n\n* WHEN...From 7 AM to 7 PM EST Thursday.",
		"Secure outdoor objects. Take extra care on roads, above all in tall vehicles."},
	{"MA", nil, "Gale Warning", "Moderate", "Likely", "Expected", "Massachusetts Bay and Ipswich Bay", "2026-11-19T07:00:00-05:00", "2026-11-19T22:00:00-05:00", "NWS Boston/Norton MA",
		"* WHAT...South winds 25 to 35 kt with gusts up to 45 kt.", "Mariners should stay in port or alter their course."},
	{"NY", []string{"buffalo"}, "Lake Effect Snow Warning", "Severe", "Likely", "Expected", "Northern Erie; Genesee", "2026-11-18T19:00:00-05:00", "2026-11-20T13:00:00-05:00", "NWS Buffalo NY",
		"* WHAT...Heavy lake effect snow. One to two feet in the heaviest bands,\nwith two inches an hour at times.\n\n* WHERE...Northern Erie and Genesee counties.",
		"If you must travel, keep an extra flashlight, food,\nand water in your vehicle in case of an emergency."},
	{"NY", []string{"new-york", "manhattan-ny", "brooklyn", "bronx"}, "Coastal Flood Statement", "Minor", "Likely", "Expected", "New York (Manhattan); Kings (Brooklyn); Bronx", "2026-11-19T06:00:00-05:00", "2026-11-19T11:00:00-05:00", "NWS New York NY",
		"* WHAT...Up to half a foot of water over low ground near shore.", "Do not drive through flooded roads."},
	{"CA", []string{"los-angeles", "beverly-hills"}, "Red Flag Warning", "Severe", "Likely", "Expected", "Los Angeles County Mountains; Santa Monica Mountains", "2026-11-19T04:00:00-08:00", "2026-11-20T18:00:00-08:00", "NWS Los Angeles/Oxnard CA",
		"* WINDS...Northeast 20 to 30 mph with gusts to 55 mph.\n\n* RELATIVE HUMIDITY...As low as 8 percent.",
		"Do not burn anything outdoors. Be ready to leave if fire breaks out near you."},
	{"CA", []string{"san-diego"}, "Beach Hazards Statement", "Moderate", "Likely", "Expected", "San Diego County Coastal Areas", "2026-11-18T12:00:00-08:00", "2026-11-20T20:00:00-08:00", "NWS San Diego CA",
		"* WHAT...Strong rip currents.", "Swim near a lifeguard. If caught in a rip current, float and do not swim against it."},
	{"OK", []string{"norman", "oklahoma-city"}, "Tornado Warning", "Extreme", "Observed", "Immediate", "Cleveland; Oklahoma", "2026-11-18T12:41:00-06:00", "2026-11-18T13:30:00-06:00", "NWS Norman OK",
		"At 1241 PM CST, a tornado was seen 4 miles west of Norman, moving\nnortheast at 30 mph.",
		"TAKE COVER NOW! Move to a basement or an interior room on the lowest floor of a\nsturdy building. Avoid windows."},
	{"OK", []string{"norman"}, "Severe Thunderstorm Watch", "Severe", "Possible", "Future", "Cleveland; McClain; Pottawatomie", "2026-11-18T11:00:00-06:00", "2026-11-18T19:00:00-06:00", "NWS Norman OK",
		"Severe thunderstorms are possible until 7 PM CST.", "Watch for threatening weather and listen for later statements."},
	{"FL", []string{"miami"}, "Rip Current Statement", "Moderate", "Likely", "Expected", "Coastal Miami-Dade County", "2026-11-18T05:00:00-05:00", "2026-11-20T19:00:00-05:00", "NWS Miami FL",
		"* WHAT...Dangerous rip currents.", "Relax and float if caught in a rip current."},
	{"MN", []string{"minneapolis"}, "Winter Weather Advisory", "Moderate", "Likely", "Expected", "Hennepin; Ramsey; Anoka", "2026-11-18T18:00:00-06:00", "2026-11-19T09:00:00-06:00", "NWS Twin Cities/Chanhassen MN",
		"* WHAT...Snow. Three to five inches.", "Slow down and use caution while traveling."},
	{"AK", []string{"anchorage"}, "Winter Storm Warning", "Severe", "Likely", "Expected", "Anchorage", "2026-11-18T15:00:00-09:00", "2026-11-19T15:00:00-09:00", "NWS Anchorage AK",
		"* WHAT...Heavy snow. Eight to fourteen inches.", "Travel only if you must."},
	{"HI", []string{"honolulu"}, "High Surf Advisory", "Minor", "Likely", "Expected", "Oahu North Shore", "2026-11-18T06:00:00-10:00", "2026-11-20T06:00:00-10:00", "NWS Honolulu HI",
		"* WHAT...Surf of 15 to 20 feet on north facing shores.", "Stay out of the water unless you have experience."},
	{"TX", []string{"houston"}, "Flood Watch", "Severe", "Possible", "Future", "Harris; Fort Bend", "2026-11-20T12:00:00-06:00", "2026-11-21T12:00:00-06:00", "NWS Houston/Galveston TX",
		"* WHAT...Flooding by heavy rain is possible.", "Have several ways to receive warnings. Never drive into flooded roads."},
}

// counties had a wind advisory each: more alerts than one wants to read.
var counties = []string{"Ellis", "Ford", "Gray", "Hodgeman", "Kearny", "Lane", "Meade", "Ness", "Rush", "Scott", "Seward"}

func init() {
	for _, county := range counties {
		alerts = append(alerts, alert{"KS", nil, "High Wind Watch", "Severe", "Possible", "Future", county, "2026-11-20T06:00:00-06:00", "2026-11-20T18:00:00-06:00", "NWS Dodge City KS",
			"* WHAT...Northwest winds 35 to 45 mph with gusts up to 60 mph possible.", "Fasten loose objects."})
	}
	alerts = append(alerts, alert{"KS", nil, "Blizzard Warning", "Extreme", "Likely", "Expected", "Cheyenne; Rawlins", "2026-11-20T00:00:00-06:00", "2026-11-21T06:00:00-06:00", "NWS Goodland KS",
		"* WHAT...Blizzard conditions.", "Do not travel. If you are stranded, stay with your vehicle."})
}
