package meaning

import (
	"reflect"
	"slices"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/operation"
)

// TestFields: every member of what a plan is made of is compared, or it is said
// here why not. A new member has to be decided about.
func TestFields(t *testing.T) {
	const (
		compared = "compared"
		place    = "only says where something is"
		derived  = "follows from what is compared"
		named    = "a name that nothing outside sees"
	)
	decided := map[reflect.Type]map[string]string{
		reflect.TypeFor[ir.Plan](): {
			"Deadline": compared, "Budget": derived, "Allow": compared, "Inputs": compared, "Regions": derived, "Steps": compared,
			"Lets": "compared where they are read", "Outputs": compared, "IdempotentIfNamed": derived,
		},
		reflect.TypeFor[ir.Input](): {"Name": compared, "Decl": derived, "Send": compared},
		reflect.TypeFor[ir.Step](): {
			"ID": named, "API": compared, "Op": compared, "Decl": named, "Server": compared, "Schemes": compared, "Collect": compared, "Poll": compared, "Form": compared, "Effect": compared,
			"Because": "is for people", "When": compared, "Each": compared, "Strict": compared, "Bindings": compared, "Body": compared,
			"BodyMedia": compared, "Accept": compared, "Answer": "compared where it is read", "Result": derived, "MayBeEmpty": compared,
			"HTTP": derived, "Reads": derived, "Expect": compared, "Errors": compared, "Cache": compared, "After": compared,
			"Timeout": compared, "Attempts": compared, "Span": place,
		},
		reflect.TypeFor[ir.Each](): {"Over": compared, "Max": compared, "Item": named, "Index": named, "Pair": "is how the answers are read: what is read of them counts"},
		reflect.TypeFor[ir.Binding](): {
			"Param": compared, "Origin": compared, "Value": compared, "Parts": compared, "JSON": compared, "Style": compared, "Reason": "is for people",
		},
		reflect.TypeFor[ir.Body]():       {"Expr": compared, "IsObject": compared, "Members": compared, "IsList": compared, "Items": compared, "Raw": compared, "IsNull": compared},
		reflect.TypeFor[ir.BodyMember](): {"Name": compared, "Value": compared, "Field": compared},
		reflect.TypeFor[ir.Field]():      {"JSON": compared, "Style": compared, "Type": compared, "File": compared},
		reflect.TypeFor[ir.Expect]():     {"Check": compared, "Failure": compared},
		reflect.TypeFor[ir.ErrorCase]():  {"Span": place, "Case": compared, "Missing": compared, "Failure": compared},
		reflect.TypeFor[ir.Case]():       {"Status": compared, "Class": compared, "Problem": compared},
		reflect.TypeFor[ir.Failure]():    {"Code": compared, "Message": compared, "Developer": compared, "Hint": compared, "Retry": compared, "RetryAfter": compared},
		reflect.TypeFor[ir.Output](): {
			"Name": compared, "Type": derived, "Expr": compared, "Optional": compared, "MaxItems": compared, "MaxLength": compared, "Enum": compared, "Fallback": compared,
		},
		reflect.TypeFor[ir.EnumValue](): {"Wire": compared, "Name": compared},
		reflect.TypeFor[ir.Env]():       {"Name": compared, "Description": "is for people", "Default": compared},
		reflect.TypeFor[ir.API](): {
			"Name": compared, "Title": "is for people", "File": place, "BaseURL": compared, "Variables": compared, "Headers": compared, "Credentials": compared,
			"Timeout": compared, "Attempts": compared,
		},
		reflect.TypeFor[ir.ServerVariable](): {"Name": "is in the address", "Parts": compared, "Enum": "is for the program to check", "Sample": "is for recordings"},
		reflect.TypeFor[ir.Header]():         {"Name": compared, "Parts": compared},
		reflect.TypeFor[ir.HeaderPart]():     {"Text": compared, "Env": compared},
		reflect.TypeFor[ir.Credential]():     {"Scheme": compared, "Source": compared},
		reflect.TypeFor[ir.Source]():         {"Env": compared, "File": compared, "Caller": compared, "Grant": compared},
		reflect.TypeFor[ir.Collect](): {
			"Page": named, "Items": compared, "Until": compared, "Next": compared, "By": compared, "Parameter": compared, "Max": compared, "Partial": compared,
		},
		reflect.TypeFor[ir.Poll](): {"Answer": named, "Until": compared, "Every": compared, "Max": compared},
		reflect.TypeFor[ir.Grant](): {
			"Type": compared, "TokenURL": compared, "AuthorizationURL": compared, "Issuer": compared, "ID": compared, "Secret": compared, "Refresh": compared, "Scopes": compared, "Audience": compared, "InBody": compared,
		},
		reflect.TypeFor[ir.Constant](): {"Name": named, "Type": compared, "Value": compared, "Decl": derived},
		reflect.TypeFor[operation.Param](): {
			"Name": compared, "In": compared, "Required": "is for the manifest to satisfy", "Type": "its kind is compared", "Style": compared,
			"Explode": compared, "AllowReserved": compared, "Media": compared, "Asserts": "are for the manifest to satisfy", "Description": "is for people", "Span": place,
		},
		reflect.TypeFor[operation.Scheme](): {"Name": named, "Type": compared, "In": compared, "Param": compared, "HTTP": compared, "TokenURL": "is in the grant that is asked for", "AuthorizationURL": "is in the grant that is asked for"},
	}
	for of, members := range decided {
		var there []string
		for member := range of.Fields() {
			name := member.Name
			there = append(there, name)
			if members[name] == "" {
				t.Errorf("%s.%s is new: compare it, or say here why not", of, name)
			}
		}
		for name := range members {
			if !slices.Contains(there, name) {
				t.Errorf("%s.%s is gone", of, name)
			}
		}
	}
}
