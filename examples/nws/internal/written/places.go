package main

// A place is a town with the weather that was invented for it. Names,
// coordinates and time zones are real; populations are rounded, grid cells
// approximate.
type place struct {
	slug, name, state, county string
	latitude, longitude       float64
	population                int
	zip, zone                 string
	office                    string
	x, y                      int
	// stations are those around, the nearest first: "KOMA Omaha, Eppley Airfield".
	stations []string
	// high and low are those of the first day, in degrees Fahrenheit; sky is
	// where in the row of skies the place begins.
	high, low, sky int
}

// places are those that the exchanges are about.
var places = []place{
	{"omaha", "Omaha", "NE", "Douglas", 41.25626, -95.94043, 486000, "68102", "America/Chicago", "OAX", 82, 60, []string{"KOMA Omaha, Eppley Airfield", "KOFF Offutt Air Force Base"}, 0, 0, 0},
	{"portland-or", "Portland", "OR", "Multnomah", 45.52345, -122.67621, 652000, "97204", "America/Los_Angeles", "PQR", 112, 103, []string{"KPDX Portland, Portland International Airport", "KTTD Troutdale Airport"}, 0, 0, 5},
	{"portland-me", "Portland", "ME", "Cumberland", 43.65737, -70.2589, 68000, "04101", "America/New_York", "GYX", 76, 59, []string{"KPWM Portland, International Jetport"}, 0, 0, 4},
	{"springfield-il", "Springfield", "IL", "Sangamon", 39.80172, -89.64371, 114000, "62701", "America/Chicago", "ILX", 46, 56, []string{"KSPI Springfield, Abraham Lincoln Capital Airport"}, 0, 0, 1},
	{"washington-dc", "Washington D.C.", "DC", "", 38.89511, -77.03637, 690000, "20001", "America/New_York", "LWX", 97, 71, []string{"KDCA Washington/Reagan National Airport"}, 0, 0, 2},
	{"new-york", "New York", "NY", "", 40.71427, -74.00597, 8804000, "10001", "America/New_York", "OKX", 33, 35, []string{"KNYC New York City, Central Park", "KLGA New York, La Guardia Airport"}, 49, 38, 3},
	{"manhattan-ny", "Manhattan", "NY", "New York", 40.78343, -73.96625, 1695000, "10024", "America/New_York", "OKX", 34, 45, []string{"KNYC New York City, Central Park", "KLGA New York, La Guardia Airport"}, 48, 38, 3},
	{"manhattan-ks", "Manhattan", "KS", "Riley", 39.18361, -96.57167, 54000, "66502", "America/Chicago", "TOP", 32, 61, []string{"KMHK Manhattan Regional Airport"}, 51, 29, 1},
	{"brooklyn", "Brooklyn", "NY", "Kings", 40.6501, -73.94958, 2736000, "11201", "America/New_York", "OKX", 36, 33, []string{"KJFK New York, Kennedy International Airport"}, 49, 40, 3},
	{"bronx", "The Bronx", "NY", "Bronx", 40.84985, -73.86641, 1472000, "10451", "America/New_York", "OKX", 37, 40, []string{"KLGA New York, La Guardia Airport"}, 48, 37, 3},
	{"boston", "Boston", "MA", "Suffolk", 42.35843, -71.05977, 676000, "02108", "America/New_York", "BOX", 71, 90, []string{"KBOS Boston, Logan International Airport", "KOWD Norwood Memorial Airport"}, 46, 35, 4},
	{"los-angeles", "Los Angeles", "CA", "Los Angeles", 34.05223, -118.24368, 3899000, "90012", "America/Los_Angeles", "LOX", 154, 44, []string{"KCQT Los Angeles, USC Campus Downtown", "KLAX Los Angeles International Airport"}, 74, 56, 0},
	{"beverly-hills", "Beverly Hills", "CA", "Los Angeles", 34.07362, -118.40036, 34000, "90210", "America/Los_Angeles", "LOX", 149, 48, []string{"KSMO Santa Monica Municipal Airport"}, 73, 55, 0},
	{"san-francisco", "San Francisco", "CA", "San Francisco", 37.77493, -122.41942, 874000, "94103", "America/Los_Angeles", "MTR", 85, 105, []string{"KSFO San Francisco International Airport"}, 61, 51, 1},
	{"san-diego", "San Diego", "CA", "San Diego", 32.71571, -117.16472, 1387000, "92101", "America/Los_Angeles", "SGX", 57, 14, []string{"KSAN San Diego International Airport"}, 70, 57, 0},
	{"sacramento", "Sacramento", "CA", "Sacramento", 38.58157, -121.4944, 525000, "95814", "America/Los_Angeles", "STO", 41, 68, []string{"KSAC Sacramento Executive Airport"}, 63, 44, 1},
	{"denver", "Denver", "CO", "Denver", 39.73915, -104.9847, 716000, "80202", "America/Denver", "BOU", 63, 62, []string{"KBKF Buckley Space Force Base", "KDEN Denver International Airport"}, 58, 31, 2},
	{"chicago", "Chicago", "IL", "Cook", 41.85003, -87.65005, 2746000, "60601", "America/Chicago", "LOT", 75, 72, []string{"KMDW Chicago Midway Airport", "KORD Chicago O'Hare International Airport"}, 44, 33, 4},
	{"houston", "Houston", "TX", "Harris", 29.76328, -95.36327, 2305000, "77002", "America/Chicago", "HGX", 63, 95, []string{"KMCJ Houston, Dunn Helistop", "KHOU Houston Hobby Airport"}, 75, 60, 3},
	{"dallas", "Dallas", "TX", "Dallas", 32.78306, -96.80667, 1304000, "75201", "America/Chicago", "FWD", 89, 104, []string{"KDAL Dallas Love Field"}, 70, 50, 2},
	{"austin", "Austin", "TX", "Travis", 30.26715, -97.74306, 962000, "78701", "America/Chicago", "EWX", 156, 91, []string{"KATT Austin City, Camp Mabry"}, 73, 52, 2},
	{"san-antonio", "San Antonio", "TX", "Bexar", 29.42412, -98.49363, 1435000, "78205", "America/Chicago", "EWX", 126, 54, []string{"KSAT San Antonio International Airport"}, 74, 54, 2},
	{"fort-worth", "Fort Worth", "TX", "Tarrant", 32.72541, -97.32085, 919000, "76102", "America/Chicago", "FWD", 71, 102, []string{"KFTW Fort Worth Meacham Airport"}, 69, 48, 2},
	{"phoenix", "Phoenix", "AZ", "Maricopa", 33.44838, -112.07404, 1608000, "85004", "America/Phoenix", "PSR", 159, 58, []string{"KPHX Phoenix Sky Harbor International Airport"}, 81, 57, 0},
	{"tucson", "Tucson", "AZ", "Pima", 32.22174, -110.92648, 543000, "85701", "America/Phoenix", "TWC", 91, 48, []string{"KTUS Tucson International Airport"}, 79, 50, 0},
	{"philadelphia", "Philadelphia", "PA", "Philadelphia", 39.95233, -75.16379, 1604000, "19103", "America/New_York", "PHI", 49, 76, []string{"KPHL Philadelphia International Airport"}, 50, 37, 3},
	{"pittsburgh", "Pittsburgh", "PA", "Allegheny", 40.44062, -79.99589, 303000, "15222", "America/New_York", "PBZ", 77, 66, []string{"KAGC Pittsburgh, Allegheny County Airport"}, 45, 33, 4},
	{"las-vegas-nv", "Las Vegas", "NV", "Clark", 36.17497, -115.13722, 642000, "89101", "America/Los_Angeles", "VEF", 123, 98, []string{"KLAS Las Vegas, Harry Reid International Airport"}, 68, 47, 0},
	{"miami", "Miami", "FL", "Miami-Dade", 25.77427, -80.19366, 442000, "33130", "America/New_York", "MFL", 110, 50, []string{"KMIA Miami International Airport"}, 82, 72, 3},
	{"orlando", "Orlando", "FL", "Orange", 28.53834, -81.37924, 308000, "32801", "America/New_York", "MLB", 26, 68, []string{"KORL Orlando Executive Airport"}, 79, 62, 3},
	{"tampa", "Tampa", "FL", "Hillsborough", 27.94752, -82.45843, 385000, "33602", "America/New_York", "TBW", 71, 98, []string{"KTPA Tampa International Airport"}, 78, 62, 2},
	{"atlanta", "Atlanta", "GA", "Fulton", 33.749, -84.38798, 499000, "30303", "America/New_York", "FFC", 51, 87, []string{"KATL Atlanta, Hartsfield-Jackson International Airport"}, 62, 44, 2},
	{"seattle", "Seattle", "WA", "King", 47.60621, -122.33207, 737000, "98101", "America/Los_Angeles", "SEW", 125, 68, []string{"KBFI Seattle, Boeing Field", "KSEA Seattle-Tacoma International Airport"}, 50, 42, 6},
	{"spokane", "Spokane", "WA", "Spokane", 47.65966, -117.42908, 229000, "99201", "America/Los_Angeles", "OTX", 140, 90, []string{"KSFF Spokane, Felts Field"}, 41, 30, 5},
	{"minneapolis", "Minneapolis", "MN", "Hennepin", 44.97997, -93.26384, 430000, "55401", "America/Chicago", "MPX", 108, 72, []string{"KMSP Minneapolis-St. Paul International Airport"}, 35, 22, 7},
	{"st-louis", "St. Louis", "MO", "City of Saint Louis", 38.62727, -90.19789, 302000, "63101", "America/Chicago", "LSX", 95, 74, []string{"KCPS St. Louis Downtown Airport"}, 50, 34, 1},
	{"kansas-city-mo", "Kansas City", "MO", "Jackson", 39.09973, -94.57857, 508000, "64106", "America/Chicago", "EAX", 44, 51, []string{"KMKC Kansas City, Wheeler Downtown Airport"}, 50, 32, 1},
	{"kansas-city-ks", "Kansas City", "KS", "Wyandotte", 39.11417, -94.62746, 156000, "66101", "America/Chicago", "EAX", 42, 51, []string{"KMKC Kansas City, Wheeler Downtown Airport"}, 50, 32, 1},
	{"new-orleans", "New Orleans", "LA", "Orleans", 29.95465, -90.07507, 384000, "70112", "America/Chicago", "LIX", 68, 88, []string{"KNEW New Orleans Lakefront Airport"}, 71, 57, 3},
	{"nashville", "Nashville", "TN", "Davidson", 36.16589, -86.78444, 690000, "37203", "America/Chicago", "OHX", 50, 57, []string{"KBNA Nashville International Airport"}, 58, 39, 3},
	{"detroit", "Detroit", "MI", "Wayne", 42.33143, -83.04575, 639000, "48226", "America/New_York", "DTX", 66, 34, []string{"KDET Detroit City Airport"}, 43, 32, 4},
	{"salt-lake-city", "Salt Lake City", "UT", "Salt Lake", 40.76078, -111.89105, 200000, "84101", "America/Denver", "SLC", 100, 175, []string{"KSLC Salt Lake City International Airport"}, 52, 34, 2},
	{"oklahoma-city", "Oklahoma City", "OK", "Oklahoma", 35.46756, -97.51643, 681000, "73102", "America/Chicago", "OUN", 97, 94, []string{"KOKC Oklahoma City, Will Rogers Airport"}, 62, 40, 2},
	{"norman", "Norman", "OK", "Cleveland", 35.22257, -97.43948, 128000, "73069", "America/Chicago", "OUN", 100, 83, []string{"KOUN Norman, University of Oklahoma Westheimer Airport"}, 63, 40, 2},
	{"buffalo", "Buffalo", "NY", "Erie", 42.88645, -78.87837, 278000, "14202", "America/New_York", "BUF", 34, 49, []string{"KBUF Buffalo Niagara International Airport"}, 36, 28, 7},
	{"anchorage", "Anchorage", "AK", "Anchorage", 61.21806, -149.90028, 291000, "99501", "America/Anchorage", "AER", 143, 236, []string{"PAMR Anchorage, Merrill Field"}, 24, 14, 7},
	{"honolulu", "Honolulu", "HI", "Honolulu", 21.30694, -157.85833, 351000, "96813", "Pacific/Honolulu", "HFO", 154, 144, []string{"PHNL Honolulu International Airport"}, 83, 72, 2},
	{"boise", "Boise", "ID", "Ada", 43.6135, -116.20345, 236000, "83702", "America/Boise", "BOI", 133, 87, []string{"KBOI Boise Air Terminal"}, 48, 32, 4},
	{"fargo", "Fargo", "ND", "Cass", 46.87719, -96.7898, 126000, "58102", "America/Chicago", "FGF", 86, 55, []string{"KFAR Fargo, Hector International Airport"}, 26, 12, 7},
	{"columbus-oh", "Columbus", "OH", "Franklin", 39.96118, -82.99879, 906000, "43215", "America/New_York", "ILN", 84, 81, []string{"KCMH Columbus, John Glenn International Airport"}, 46, 33, 4},
	{"charleston-sc", "Charleston", "SC", "Charleston", 32.77657, -79.93092, 150000, "29401", "America/New_York", "CHS", 89, 79, []string{"KCHS Charleston Air Force Base"}, 68, 51, 1},
	{"charleston-wv", "Charleston", "WV", "Kanawha", 38.34982, -81.63262, 48000, "25301", "America/New_York", "RLX", 73, 67, []string{"KCRW Charleston, Yeager Airport"}, 50, 34, 4},
	{"jackson-wy", "Jackson", "WY", "Teton", 43.47993, -110.76243, 11000, "83001", "America/Denver", "RIW", 39, 150, []string{"KJAC Jackson Hole Airport"}, 30, 11, 7},
	{"jackson-ms", "Jackson", "MS", "Hinds", 32.29876, -90.18481, 154000, "39201", "America/Chicago", "JAN", 75, 63, []string{"KHKS Jackson, Hawkins Field"}, 66, 46, 2},
	{"dededo", "Dededo Village", "GU", "", 13.51777, 144.8391, 45000, "96929", "Pacific/Guam", "GUM", 51, 54, []string{"PGUM Guam International Airport"}, 0, 0, 3},
	{"san-juan", "San Juan", "PR", "", 18.46633, -66.10572, 342000, "00901", "America/Puerto_Rico", "SJU", 147, 91, []string{"TJIG San Juan, Isla Grande Airport"}, 86, 75, 3},
}

// namesakes are places that are only found, not asked about.
var namesakes = []place{
	{name: "Manhattan", state: "MT", county: "Gallatin", latitude: 45.85659, longitude: -111.33246, population: 2100, zone: "America/Denver"},
	{name: "Boston", state: "GA", county: "Thomas", latitude: 30.79186, longitude: -83.78989, population: 1300, zone: "America/New_York"},
	{name: "Denver", state: "PA", county: "Lancaster", latitude: 40.23315, longitude: -76.13717, population: 3800, zone: "America/New_York"},
	{name: "Denver", state: "NC", county: "Lincoln", latitude: 35.53124, longitude: -81.0298, population: 2300, zone: "America/New_York"},
	{name: "Houston", state: "MS", county: "Chickasaw", latitude: 33.89845, longitude: -88.99923, population: 3700, zone: "America/Chicago"},
	{name: "Dallas", state: "OR", county: "Polk", latitude: 44.91928, longitude: -123.31705, population: 16800, zone: "America/Los_Angeles"},
	{name: "Austin", state: "MN", county: "Mower", latitude: 43.66663, longitude: -92.97464, population: 26000, zone: "America/Chicago"},
	{name: "Las Vegas", state: "NM", county: "San Miguel", latitude: 35.59393, longitude: -105.2239, population: 13000, zone: "America/Denver"},
	{name: "Miami", state: "OK", county: "Ottawa", latitude: 36.87451, longitude: -94.87746, population: 13000, zone: "America/Chicago"},
	{name: "Buffalo", state: "WY", county: "Johnson", latitude: 44.34831, longitude: -106.69894, population: 4600, zone: "America/Denver"},
	{name: "Nashville", state: "IN", county: "Brown", latitude: 39.20727, longitude: -86.25082, population: 1100, zone: "America/Indiana/Indianapolis"},
	{name: "Columbus", state: "GA", county: "Muscogee", latitude: 32.46098, longitude: -84.98771, population: 207000, zone: "America/New_York"},
	{name: "Columbus", state: "IN", county: "Bartholomew", latitude: 39.20144, longitude: -85.92138, population: 51000, zone: "America/Indiana/Indianapolis"},
	{name: "Jackson", state: "TN", county: "Madison", latitude: 35.61452, longitude: -88.81395, population: 68000, zone: "America/Chicago"},
	{name: "Jackson", state: "MI", county: "Jackson", latitude: 42.24587, longitude: -84.40135, population: 31000, zone: "America/New_York"},
	{name: "Aurora", state: "CO", county: "Arapahoe", latitude: 39.72943, longitude: -104.83192, population: 386000, zone: "America/Denver"},
	{name: "Aurora", state: "IL", county: "Kane", latitude: 41.76058, longitude: -88.32007, population: 181000, zone: "America/Chicago"},
	{name: "Union", state: "WI", county: "Rock", latitude: 42.81028, longitude: -89.31095, population: 90, zone: "America/Chicago"},
	{name: "Union", state: "WI", county: "Grant", latitude: 42.92138, longitude: -90.68457, population: 60, zone: "America/Chicago"},
}
